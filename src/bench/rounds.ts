import { ownCpuMs, processTree } from './processes.ts'

/** Articles of one round. */
const BATCH = 16

/** How often a piece of work is done before it counts, and how often it counts. */
export interface BenchRoundCounts {
  readonly warmUp: number
  readonly counted: number
}

/** Work on 16 articles after the other, what each costs an article; those of the warm-up are left out. */
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

/** CPU milliseconds an article. */
export interface RoundCost {
  /** This process. */
  readonly own: number
  /** The processes below it: the models'. */
  readonly models: number
}

/** What a piece of work on so many articles costs an article, and its result. */
export async function costOf<Result>(
  articles: number,
  work: () => Promise<Result>,
): Promise<RoundCost & { readonly result: Result }> {
  const modelsBefore = modelsMs() // reading the table of processes costs this one something: outside of its own time
  const ownBefore = ownCpuMs()
  const result = await work()
  const own = (ownCpuMs() - ownBefore) / articles
  return { own, models: (modelsMs() - modelsBefore) / articles, result }
}

const modelsMs = (): number =>
  processTree(process.pid).reduce((sum, { pid, cpuMs }) => sum + (pid === process.pid ? 0 : cpuMs), 0)

/** A piece of work and the wall time it takes, milliseconds. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const begun = performance.now()
  const result = await work()
  return { result, ms: performance.now() - begun }
}

/** The value at a share of the values in order, 0 to 1; `undefined` of none. */
export const quantile = (values: readonly number[], share: number): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

/** The smallest value that at least this share of the values does not exceed; NaN of none. */
export const nearestRank = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN

/** NaN of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5) ?? Number.NaN
