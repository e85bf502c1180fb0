import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { withHugePages } from '../../engines/huge-pages.ts'
import type { BenchPart, BenchResult, BenchSetting } from '../part.ts'
import { realArticles } from '../real-articles.ts'
import { stringEntries } from '../string-entries.ts'
import { writeBases } from './bases-file.ts'
import { programArguments } from './decider.ts'

export const BudgetArguments = z.object({
  /** The file with the base articles. */
  bases: z.string(),
  /** Articles to decide, over all partitions. */
  articles: z.number(),
  environment: z.record(z.string(), z.string()),
})
type BudgetArguments = z.infer<typeof BudgetArguments>

const BudgetLine = z.object({
  partitions: z.number(),
  decided: z.number(),
  in_memory: z.number(),
  /** Resident memory, now and at most so far. */
  rss_mb: z.number(),
  peak_mb: z.number(),
})
export type BudgetLine = z.infer<typeof BudgetLine>

export const budget: BenchPart = {
  about:
    'the clusterer with the partitions of production in one process, all filled to its budget of --articles: memory',
  alone: measure,
}

/** More articles than the budget, so that each partition evicts. */
const OVERFLOW = 1.2
const MIN_BASES = 50

async function measure(setting: BenchSetting): Promise<BenchResult> {
  const { wiring, requested } = setting
  const { source, articles: real } = await realArticles(setting, MIN_BASES)
  const folder = mkdtempSync(join(tmpdir(), 'story-budget-'))
  const bases = join(folder, 'bases.json')
  writeBases(bases, real)
  await wiring.close() // no model competes for the cores
  const environment = withHugePages({
    ...stringEntries(wiring.environment),
    ...{ TOPIC_PARTITIONS: 'production', STAGE_PROCESSES: '1', CLUSTER_MEMBERS_IN_MEMORY: `${requested}` },
  })
  const reached = await fill({ bases, articles: Math.ceil(requested * OVERFLOW), environment }, (line) =>
    wiring.out.progress(`budget: ${line.decided} articles decided, ${Math.round(line.rss_mb)} MB`),
  )
  rmSync(folder, { recursive: true })
  const figures = { made_of: source, budget: requested, ...reached }
  return {
    figures,
    lines: [
      `  generated from ${source}`,
      `  partitions           ${figures.partitions}`,
      `  articles decided     ${figures.decided}`,
      `  articles in memory   ${figures.in_memory}, at most ${requested}`,
      `  memory of the process ${Math.round(figures.rss_mb)} MB, at most ${Math.round(figures.peak_mb)}`,
    ],
  }
}

/** Runs the clusterer in a process of its own, so that the memory is that of the clusterer. */
async function fill(given: BudgetArguments, onProgress: (line: BudgetLine) => void): Promise<BudgetLine> {
  const child = spawn(process.execPath, [...programArguments('budget-process'), JSON.stringify(given)], {
    env: given.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let last: BudgetLine | null = null
  for await (const text of createInterface({ input: child.stdout })) {
    last = BudgetLine.parse(JSON.parse(text))
    onProgress(last)
  }
  await ended
  if (last !== null && child.exitCode === 0) return last
  throw new Error(
    `the clusterer ended (${child.signalCode ?? `exit code ${child.exitCode}`}) after ${last?.decided ?? 0} articles`,
  )
}
