import { FULL_SUPPORT } from './support.ts'

/** Ingestion days before the latest one that make the baseline. */
export const PRIOR_DAYS = 7

/** What is known of an entity from the latest ingestion day. */
export interface LatestDay {
  readonly mentions: number
  /** Independent sources of these mentions. */
  readonly origins: number
}

/** What is known of an entity from the ingestion days before the latest one, at most seven. */
export interface History {
  /** On all of them together: of a complete latest day whole days, of a running one up to the same time of day. */
  readonly mentions: number
  /** How many days there are: fewer than seven where the namespace has fewer. */
  readonly days: number
  /** On how many of them it was named, at whatever time of day. */
  readonly days_of_history: number
}

export interface EntityVelocity {
  /** Multiple of the baseline, shrunk towards 1 where support is small; 1 where there is no baseline. */
  readonly velocity: number
  /** Mentions a day, or up to the same time of day, days without one included; 0: it was not named before. */
  readonly baseline: number
  readonly days_of_history: number
}

/**
 * Mentions on the latest ingestion day over their mean on the ingestion days before, where support suffices: the ratio of
 * the specification. An entity that was named on earlier days, but never by this time of day, counts as named once by
 * then: with none there would be no ratio.
 */
export function entityVelocity(latest: LatestDay, history: History): EntityVelocity {
  const { days, days_of_history } = history
  if (days_of_history === 0) return { velocity: 1, baseline: 0, days_of_history }
  const before = Math.max(1, history.mentions)
  const ratio = (latest.mentions * days) / before
  const baseline = before / days
  const support = ratio > 1 ? supportOfRise(latest, days_of_history) : supportOfFall(baseline, days_of_history)
  return { velocity: shrink(ratio, support), baseline, days_of_history }
}

/** 0 to 1. A rise is claimed by the mentions of the latest day. */
const supportOfRise = ({ mentions, origins }: LatestDay, days_of_history: number): number =>
  Math.min(
    1,
    mentions / FULL_SUPPORT.mentions,
    origins / FULL_SUPPORT.origins,
    days_of_history / FULL_SUPPORT.days_of_history,
  )

/** 0 to 1. A fall is claimed by mentions that were to be expected: the latest day may have none, and so no source. */
const supportOfFall = (baseline: number, days_of_history: number): number =>
  Math.min(1, baseline / FULL_SUPPORT.mentions, days_of_history / FULL_SUPPORT.days_of_history)

/**
 * The ratio of a full sample of which only the share `support` was observed, the rest being taken to come at the usual
 * rate. For a rise that is the harmonic mean of the ratio and 1 with the weights `support` and 1 - `support`, for a fall
 * the arithmetic one: each fills up the larger of the two counts. So 1 of 3 sources or days never exceeds 1.5, 2 of 3
 * never 3, and 5 of 10 mentions never 2, however small the baseline.
 */
function shrink(ratio: number, support: number): number {
  return ratio > 1 ? ratio / (support + (1 - support) * ratio) : support * ratio + (1 - support)
}
