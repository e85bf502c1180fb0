/** The support from which on a velocity is not shrunk. */
export const FULL_SUPPORT = { mentions: 10, origins: 3, days_of_history: 3 } as const

export interface Support {
  /** Independent sources of the mentions. */
  readonly origins: number
  /** Days of the baseline on which the entity was named. */
  readonly days_of_history: number
}

/** Whether a velocity has too little support to be trusted. */
export const hasLowSupport = ({ origins, days_of_history }: Support): boolean =>
  origins < FULL_SUPPORT.origins || days_of_history < FULL_SUPPORT.days_of_history

/** Number of ingestion days before the latest one that form the baseline. */
export const PRIOR_DAYS = 7

/** Counts of an entity on the latest ingestion day. */
export interface LatestDay {
  readonly mentions: number
  /** Independent sources of these mentions. */
  readonly origins: number
}

/** Counts of an entity on the ingestion days before the latest one, at most seven. */
export interface History {
  /**
   * Total over these days: of whole days if the latest day is complete, otherwise of each day up to the same time of
   * day.
   */
  readonly mentions: number
  /** Number of days; fewer than seven if the namespace has fewer. */
  readonly days: number
  /** Number of these days on which the entity was named, at any time of day. */
  readonly days_of_history: number
}

export type EntityVelocity = ReturnType<typeof entityVelocity>

/**
 * Mentions on the latest ingestion day divided by their mean on the days before (the ratio of the specification),
 * shrunk towards 1 if support is low. `velocity` is 1 without a baseline. An entity that was named on earlier days, but
 * never by this time of day, counts as named once by then, since the ratio is otherwise undefined. `baseline`: mean
 * mentions per day, or per day up to the same time of day, including days without mentions; 0 if the entity was not
 * named before.
 */
export function entityVelocity(latest: LatestDay, history: History) {
  const { days, days_of_history } = history
  if (days_of_history === 0) return { velocity: 1, baseline: 0, days_of_history }
  const before = Math.max(1, history.mentions)
  const ratio = (latest.mentions * days) / before
  const baseline = before / days
  const support = ratio > 1 ? supportOfRise(latest, days_of_history) : supportOfFall(baseline, days_of_history)
  return { velocity: shrink(ratio, support), baseline, days_of_history }
}

/** Support of a rise, 0 to 1. It depends on the mentions of the latest day. */
const supportOfRise = ({ mentions, origins }: LatestDay, days_of_history: number): number =>
  Math.min(
    1,
    mentions / FULL_SUPPORT.mentions,
    origins / FULL_SUPPORT.origins,
    days_of_history / FULL_SUPPORT.days_of_history,
  )

/** Support of a fall, 0 to 1. It depends on the expected mentions: the latest day may have none, and so no source. */
const supportOfFall = (baseline: number, days_of_history: number): number =>
  Math.min(1, baseline / FULL_SUPPORT.mentions, days_of_history / FULL_SUPPORT.days_of_history)

/**
 * The ratio for a full sample of which only the share `support` was observed; the rest is assumed to arrive at the
 * usual rate. For a rise this is the harmonic mean of the ratio and 1 with the weights `support` and 1 - `support`, for
 * a fall the arithmetic mean: each fills up the larger of the two counts. With 1 of 3 sources or days the result never
 * exceeds 1.5, with 2 of 3 never 3, and with 5 of 10 mentions never 2, however small the baseline.
 */
function shrink(ratio: number, support: number): number {
  return ratio > 1 ? ratio / (support + (1 - support) * ratio) : support * ratio + (1 - support)
}

/**
 * `entityVelocity` and `hasLowSupport` as ClickHouse columns; each may use those before it. Inputs: `mentions`,
 * `origins`, `days_of_history`, `by_this_time` (`History.mentions`) and the parameter `prior_days` (`History.days`).
 */
export const ENTITY_VELOCITY_SQL = {
  before: 'greatest(1, by_this_time)',
  ratio: 'mentions * {prior_days: UInt8} / before',
  of_rise: `least(1., mentions / ${FULL_SUPPORT.mentions}, origins / ${FULL_SUPPORT.origins}, days_of_history / ${FULL_SUPPORT.days_of_history})`,
  of_fall: `least(1., before / {prior_days: UInt8} / ${FULL_SUPPORT.mentions}, days_of_history / ${FULL_SUPPORT.days_of_history})`,
  velocity:
    'multiIf(days_of_history = 0, 1., ratio > 1, ratio / (of_rise + (1 - of_rise) * ratio), of_fall * ratio + (1 - of_fall))',
  low_support: `origins < ${FULL_SUPPORT.origins} OR days_of_history < ${FULL_SUPPORT.days_of_history}`,
} as const

/** Article counts of a story in a time window and before it. */
export interface StoryCounts {
  /** Articles in the window. */
  readonly count: number
  /** Articles in the previous window of the same length. */
  readonly previous: number
  /** Articles at any time before the window. */
  readonly before: number
  /** Time from the first article to the start of the window, in windows; 0 if the story begins in the window. */
  readonly windows: number
}

export type StoryVelocity = ReturnType<typeof storyVelocity>

/**
 * Growth of a story: articles in the window divided by `baseline`, the mean articles per window before it (at least 1).
 * `growth_rate` is the change of the count against the previous window, as a fraction of that.
 */
export function storyVelocity({ count, previous, before, windows }: StoryCounts) {
  const baseline = storyBaseline(before, windows)
  return { velocity: count / baseline, baseline, growth_rate: (count - previous) / Math.max(1, previous) }
}

/**
 * Baseline in articles per window: (articles before + 1) / (windows before + 1), at least 1, which is the value for a
 * story that begins in the window. Without this minimum, three articles after four quiet days would be 7 times the
 * daily baseline and 144 times the hourly one, ahead of every story that is new or grows steadily.
 */
export const storyBaseline = (articlesBefore: number, windowsBefore: number): number =>
  Math.max(1, (articlesBefore + 1) / (windowsBefore + 1))

/**
 * How fast a story gains independent sources: sources that began in the window divided by their mean per window before
 * it, plus 1 to avoid a division by zero. `beginnings`: when the first article of each source was published, in
 * milliseconds since 1970.
 */
export function originVelocity(beginnings: readonly number[], at: number, windowMs: number): number {
  const before = beginnings.filter((time) => time <= at - windowMs)
  const first = beginnings.reduce((a, b) => Math.min(a, b), Infinity)
  const windows = Math.max(1, (at - windowMs - first) / windowMs)
  return (beginnings.length - before.length) / (before.length / windows + 1)
}

/** A count over a number of hours. */
export interface HourlyCount {
  readonly count: number
  readonly hours: number
}

/** The expected count in a window of this many hours at the usual rate. */
export const expectedCount = (usual: HourlyCount, hours: number): number => (usual.count * hours) / usual.hours

/** A window's count divided by the usual count over as many hours. */
export const rateRatio = (window: HourlyCount, usual: HourlyCount): number =>
  (window.count * usual.hours) / (usual.count * window.hours)

export const MOMENTA = ['spiking', 'rising', 'stable', 'falling'] as const
export type Momentum = (typeof MOMENTA)[number]

/** The class of a velocity with the four names that the specification gives for Layer 3. */
export function momentum(velocity: number): Momentum {
  if (velocity >= 3) return 'spiking'
  if (velocity >= 1.5) return 'rising'
  return velocity >= 0.5 ? 'stable' : 'falling'
}

export const SCALES = ['declining', 'stable', 'rising', 'spiking', 'viral'] as const
export type Scale = (typeof SCALES)[number]

/** The class of a velocity with the five names that the specification gives for the base address. */
export function scale(velocity: number): Scale {
  if (velocity < 1) return 'declining'
  if (velocity < 2) return 'stable'
  if (velocity < 5) return 'rising'
  return velocity <= 10 ? 'spiking' : 'viral' // "above 10.0 viral"
}
