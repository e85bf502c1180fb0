import { execFile } from 'node:child_process'
import { appendFile, readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { promisify } from 'node:util'
import { z } from 'zod'
import { projectPath } from '../config/project-path.ts'
import { dayName, dayOf } from '../domain/days.ts'

/** One JSON object per line, oldest first. */
const HISTORY = projectPath('docs/cost-history.jsonl')

const Cost = z.strictObject({
  articles: z.number(),
  word_pieces_per_article: z.number(),
  articles_per_s: z.number(),
  /** Of all processes, engines included. */
  cpu_ms_per_article: z.number(),
  encoder_limit_ratio: z.number(),
  log_bytes_per_article: z.number(),
  store_bytes_per_article: z.number(),
  /** Of all processes together. */
  peak_bytes: z.number(),
})
const RecordedCost = Cost.extend({
  date: z.iso.date(),
  commit: z.string(),
  /** The processor's model. Compare absolute figures only where it is the same. */
  machine: z.string(),
})

/** What `story bench whole` measures of an article. */
export type Cost = z.infer<typeof Cost>
export type RecordedCost = z.infer<typeof RecordedCost>

export async function costHistory(file = HISTORY): Promise<readonly RecordedCost[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => RecordedCost.parse(JSON.parse(line)))
}

/** The commit that a line names. Throws if the checkout has changes, since they would be measured too. */
export async function measuredCommit(): Promise<string> {
  const git = async (...args: readonly string[]) =>
    (await promisify(execFile)('git', args, { cwd: projectPath('.') })).stdout.trim()
  if ((await git('status', '--porcelain')) !== '') throw new Error('--record names a commit: commit your changes first')
  return git('rev-parse', '--short=8', 'HEAD')
}

/** Adds a line. */
export async function recordCost(
  cost: Cost,
  { commit, now, file = HISTORY }: { readonly commit: string; readonly now: number; readonly file?: string },
): Promise<void> {
  const recorded: RecordedCost = { date: dayName(dayOf(now)), commit, machine: cpus()[0]?.model ?? 'unknown', ...cost }
  const twoDecimals = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)
  await appendFile(file, `${JSON.stringify(recorded, twoDecimals)}\n`)
}

const KB = 1024
const GB = KB ** 3

export const historyTable = (history: readonly RecordedCost[]): readonly string[] => [
  '  history     commit    pieces  articles/s   CPU ms   ratio  log kB  store kB  memory GB',
  ...history.map((one) =>
    [
      `  ${one.date}  `,
      one.commit.padEnd(10),
      one.word_pieces_per_article.toFixed(0).padStart(6),
      one.articles_per_s.toFixed(1).padStart(12),
      one.cpu_ms_per_article.toFixed(0).padStart(9),
      one.encoder_limit_ratio.toFixed(2).padStart(8),
      (one.log_bytes_per_article / KB).toFixed(1).padStart(8),
      (one.store_bytes_per_article / KB).toFixed(1).padStart(10),
      (one.peak_bytes / GB).toFixed(2).padStart(11),
    ].join(''),
  ),
]
