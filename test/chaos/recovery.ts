import type { SeatProgress } from './service.ts'

/** The death of a process. */
export interface Kill {
  /** Milliseconds since 1970, as all times here. */
  readonly at: number
  readonly pid: number
  /** Groups it worked for in which records were waiting then. */
  readonly waiting: readonly string[]
}

/** Something else was wrong. */
export interface RecoverySpan {
  readonly what: string
  readonly from: number
  readonly to: number
}

export interface Recovery {
  readonly group: string
  /** From the kill to the next progress of the group, by another process. */
  readonly ms: number
  /** What else was wrong meanwhile. */
  readonly meanwhile: readonly string[]
}

/** Of each group whose working process was killed while records waited. */
export function recoveries(
  kills: readonly Kill[],
  progress: readonly SeatProgress[],
  spans: readonly RecoverySpan[],
): readonly Recovery[] {
  return kills.flatMap(({ at, pid, waiting }) =>
    waiting.map((group): Recovery => {
      const next = progress.find((one) => one.group === group && one.at > at && one.pid !== pid)
      const until = next?.at ?? Number.POSITIVE_INFINITY
      const meanwhile = spans.filter(({ from, to }) => from < until && to > at).map(({ what }) => what)
      return { group, ms: until - at, meanwhile: [...new Set(meanwhile)] }
    }),
  )
}

/** Of the values, so that `share` of them are not larger. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null
}
