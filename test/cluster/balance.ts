/** What a health check of an instance found. `late`: no answer in time; `refused`: no connection, or another status. */
export type Probe = 'ready' | 'refused' | 'late'

export interface InstanceHealth {
  readonly isReady: boolean
  /** Consecutive checks without an answer in time. */
  readonly late: number
}

/** Nothing is known of it yet. */
export const UNCHECKED: InstanceHealth = { isReady: false, late: 0 }

/** One late answer may be a busy machine. */
const LATE_AT_MOST = 1

/** An answer decides at once, since an instance that ends says so; without an answer the second check decides. */
export function evolve({ isReady, late }: InstanceHealth, probe: Probe): InstanceHealth {
  if (probe === 'ready') return { isReady: true, late: 0 }
  if (probe === 'refused') return { isReady: false, late: 0 }
  return { isReady: isReady && late < LATE_AT_MOST, late: late + 1 }
}

/**
 * The instances to try for the n-th connection (`turn`), as indexes, in order. The ready ones take turns. The others come
 * last: a check is up to 250 ms old, and a connection that is refused costs less than an error.
 */
export function attempts(instances: readonly InstanceHealth[], turn: number): readonly number[] {
  const indexes = instances.map((_, i) => i)
  const isReady = (i: number): boolean => instances[i]?.isReady ?? false
  return [
    ...rotated(indexes.filter(isReady), turn),
    ...rotated(
      indexes.filter((i) => !isReady(i)),
      turn,
    ),
  ]
}

function rotated(of: readonly number[], turn: number): readonly number[] {
  const from = of.length === 0 ? 0 : turn % of.length
  return [...of.slice(from), ...of.slice(0, from)]
}
