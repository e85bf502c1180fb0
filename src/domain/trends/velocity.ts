/** What a velocity needs behind it to be taken as it is. */
export const FULL_SUPPORT = { mentions: 10, origins: 3, days_of_history: 3 } as const

export interface Support {
  /** Independent sources of what is counted. */
  readonly origins: number
  /** Days that the baseline knows it from. */
  readonly days_of_history: number
}

/** Whether too little stands behind a velocity to trust it. */
export const hasLowSupport = ({ origins, days_of_history }: Support): boolean =>
  origins < FULL_SUPPORT.origins || days_of_history < FULL_SUPPORT.days_of_history

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

export type EntityVelocity = ReturnType<typeof entityVelocity>

/**
 * Mentions on the latest ingestion day over their mean on the ingestion days before, where support suffices: the ratio of
 * the specification. An entity that was named on earlier days, but never by this time of day, counts as named once by
 * then: with none there would be no ratio. `velocity` is shrunk towards 1 where support is small, and 1 without a baseline;
 * `baseline`: mentions a day, or up to the same time of day, days without one included, 0 when it was not named before.
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

/**
 * `entityVelocity` and `hasLowSupport` as columns of ClickHouse, each may use those before it. They are made of `mentions`,
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

/** A story as far as its speed goes: how many of its articles are of a window, and what was before it. */
export interface StoryCounts {
  /** Articles in the window. */
  readonly count: number
  /** In the window before, of the same length. */
  readonly previous: number
  /** In all time before the window. */
  readonly before: number
  /** From its first article to where the window begins, in windows; 0 where it begins in the window. */
  readonly windows: number
}

export type StoryVelocity = ReturnType<typeof storyVelocity>

/**
 * How fast a story grows: articles in the window over the `baseline`, which is articles a window before it, 1 at least;
 * `growth_rate` is the change of the count against the window before, as a fraction of that.
 */
export function storyVelocity({ count, previous, before, windows }: StoryCounts) {
  const baseline = storyBaseline(before, windows)
  return { velocity: count / baseline, baseline, growth_rate: (count - previous) / Math.max(1, previous) }
}

/**
 * Articles a window: of all before it, one more than there were, in the windows from the first one on. Below 1 it
 * counts as 1, which is what a story that begins in the window has: else three articles after four quiet days would be
 * 7 times the usual of a day and 144 times that of an hour, ahead of every story that is new or grows all the time.
 */
export const storyBaseline = (articlesBefore: number, windowsBefore: number): number =>
  Math.max(1, (articlesBefore + 1) / (windowsBefore + 1))

/**
 * How fast independent sources come to a story: those that began in the window over their mean in a window before it, which
 * one more smooths, so that the first ones are not divided by zero. `beginnings`: when the first article of each was
 * published, milliseconds since 1970.
 */
export function originVelocity(beginnings: readonly number[], at: number, windowMs: number): number {
  const before = beginnings.filter((time) => time <= at - windowMs)
  const first = beginnings.reduce((a, b) => Math.min(a, b), Infinity)
  const windows = Math.max(1, (at - windowMs - first) / windowMs)
  return (beginnings.length - before.length) / (before.length / windows + 1)
}

/** How many there are in some hours. */
export interface HourlyCount {
  readonly count: number
  readonly hours: number
}

/** How many are usual in a window of this many hours. */
export const expectedCount = (usual: HourlyCount, hours: number): number => (usual.count * hours) / usual.hours

/** A window's count over the usual count of as many hours. */
export const rateRatio = (window: HourlyCount, usual: HourlyCount): number =>
  (window.count * usual.hours) / (usual.count * window.hours)

export const MOMENTA = ['spiking', 'rising', 'stable', 'falling'] as const
export type Momentum = (typeof MOMENTA)[number]

/** What Layer 3 calls a velocity. */
export function momentum(velocity: number): Momentum {
  if (velocity >= 3) return 'spiking'
  if (velocity >= 1.5) return 'rising'
  return velocity >= 0.5 ? 'stable' : 'falling'
}

export const SCALES = ['declining', 'stable', 'rising', 'spiking', 'viral'] as const
export type Scale = (typeof SCALES)[number]

/** What the base address calls it. */
export function scale(velocity: number): Scale {
  if (velocity < 1) return 'declining'
  if (velocity < 2) return 'stable'
  if (velocity < 5) return 'rising'
  return velocity <= 10 ? 'spiking' : 'viral' // "above 10.0 viral"
}
