/** Ingestion days before the latest one that make the baseline. */
export const PRIOR_DAYS = 7

export interface EntityVelocity {
  /** Multiple of the baseline; 1 where there is none. */
  readonly velocity: number
  /** Mentions a day; 0: it was not named before. */
  readonly baseline: number
  /** On which it was named before. */
  readonly days_of_history: number
}

/**
 * Mentions on the latest ingestion day over their mean on the ingestion days before. `prior`: mentions on each of those
 * days, at most seven, fewer where the namespace has fewer; 0 where it was not named, in any order.
 */
export function entityVelocity(mentions: number, prior: readonly number[]): EntityVelocity {
  const sum = prior.reduce((total, one) => total + one, 0)
  if (sum === 0) return { velocity: 1, baseline: 0, days_of_history: 0 }
  return {
    velocity: (mentions * prior.length) / sum,
    baseline: sum / prior.length,
    days_of_history: prior.filter((one) => one > 0).length,
  }
}
