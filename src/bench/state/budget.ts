import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { withHugePages } from '../../engines/huge-pages.ts'
import type { BenchPart, BenchResult, BenchSetting } from '../part.ts'
import { realArticles } from '../real-articles.ts'
import { stringEntries } from '../string-entries.ts'
import { MIN_BASES, writeBases } from './bases-file.ts'
import { MEMORY, startProgram } from './program.ts'

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
  ...MEMORY,
})
export type BudgetLine = z.infer<typeof BudgetLine>

export const budget: BenchPart = {
  about:
    'the clusterer with the partitions of production in one process, all filled to its budget of --articles: memory',
  alone: measure,
}

/** More articles than the budget, so that each partition evicts. */
const OVERFLOW = 1.2

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
  const program = startProgram('budget-process', given, BudgetLine)
  let last: BudgetLine | null = null
  for await (const line of program.lines) {
    last = line
    onProgress(line)
  }
  const how = await program.ended
  if (last !== null && last.decided >= given.articles) return last
  throw new Error(`the clusterer ended (${how}) after ${last?.decided ?? 0} articles`)
}
