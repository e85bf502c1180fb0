import { ownCpuMs, processTree } from './processes.ts'

/** Articles per round. */
const BATCH = 16

/** The number of rounds that are discarded, and of those that are measured. */
export interface BenchRoundCounts {
  readonly warmUp: number
  readonly counted: number
}

/** Measures batches of 16 articles one after another. Returns the cost of each round after the warm-up. */
export async function rounds<Item, Cost>(
  items: readonly Item[],
  { warmUp, counted }: BenchRoundCounts,
  measure: (batch: readonly Item[]) => Promise<Cost>,
): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (let round = 0; round < warmUp + counted; round++) {
    const start = (round * BATCH) % items.length
    costs.push(await measure([...items, ...items].slice(start, start + BATCH)))
  }
  return costs.slice(warmUp)
}

/** CPU milliseconds per article. */
export interface RoundCost {
  /** This process. */
  readonly own: number
  /** Its descendants: the processes of the models. */
  readonly models: number
}

/** The cost of some work per article, and its result. `articles`: the number of articles that the work covers. */
export async function costOf<Result>(
  articles: number,
  work: () => Promise<Result>,
): Promise<RoundCost & { readonly result: Result }> {
  const modelsBefore = modelsMs() // before `ownBefore`: reading the process table takes CPU time, too
  const ownBefore = ownCpuMs()
  const result = await work()
  const own = (ownCpuMs() - ownBefore) / articles
  return { own, models: (modelsMs() - modelsBefore) / articles, result }
}

const modelsMs = (): number =>
  processTree(process.pid).reduce((sum, { pid, cpuMs }) => sum + (pid === process.pid ? 0 : cpuMs), 0)

/** Runs some work and measures its wall time, in milliseconds. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const begun = performance.now()
  const result = await work()
  return { result, ms: performance.now() - begun }
}

/** The value at a quantile, 0 to 1; `undefined` if there are no values. */
export const quantile = (values: readonly number[], share: number): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

/** The smallest value that at least this share of the values does not exceed; NaN if there are no values. */
export const nearestRank = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN

/** NaN if there are no values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5) ?? Number.NaN
