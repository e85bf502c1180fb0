import { DAY_MS, HOUR_MS, dayOf } from '../../domain/days.ts'
import { independentSourceOfEach } from '../../domain/trends/accounts.ts'
import { hasLowSupport, rateRatio } from '../../domain/trends/velocity.ts'
import {
  mentionsIn,
  priorArticles,
  usualOf,
  type NamingHistory,
  type Usual,
  accountOf,
  ORIGINS,
  originsOf,
  type Figures,
  type Level,
  mostFrequent,
} from './level.ts'
import type { DetectedArticle } from './memory.ts'
import { allIn, countIn } from './timeline.ts'

const WINDOWS = [1, 3, 6] as const
const LONGEST = 6
/** Window lengths before a point in time, milliseconds. */
export const SPIKE_SPANS = WINDOWS.map((hours) => hours * HOUR_MS)
const VELOCITY = 5

/** A detection continues above half the velocity, and twice the level of the same hours on previous days. */
const CONTINUES = { velocity: 2.5, usual: 2 } as const

/**
 * `p` is corrected for this many tests: every hour of the week that the baseline covers. With a single test, 26 of 100
 * steady entities would be detected within 30 days; with the correction, 1 of 200.
 */
const TESTS = 168
const RARE = 0.001

/** Maximum `p` of the window compared with the same hours of previous days: a daily rhythm is not a spike. */
const RARE_FOR_ITS_HOURS = 0.01

/** Minimum velocity without the busiest source: one source that repeats itself is not a spike. */
const WITHOUT_BUSIEST = 2.5

/** How much more than usual an entity is named in the hours before an article. `null` if it is not. */
export function spike(naming: NamingHistory): Level | null {
  const recent = allIn(naming.arrival, { after: naming.at - LONGEST * HOUR_MS, until: naming.at })
  if (recent.length < ORIGINS) return null
  const usual = usualOf(naming, LONGEST * HOUR_MS)
  if (usual.mentions === 0) return null

  const found = { ...naming, recent }
  const windows = WINDOWS.map((hours) => windowOf(found, usual, hours))
  if (!windows.some(({ velocity }) => velocity >= CONTINUES.velocity)) return null
  return {
    isHigh: windows.some((window) => window.hours === LONGEST && continues(naming, window)),
    crossed: (again) =>
      rarest(
        windows
          .filter((window) => !again || isNewSince(naming, window))
          .flatMap((window) => crossing(naming, usual, window) ?? []),
      ),
  }
}

interface SpikeWindow {
  readonly hours: number
  readonly articles: readonly DetectedArticle[]
  readonly mentions: number
  readonly velocity: number
}

interface Recent extends NamingHistory {
  /** Articles of the longest window. */
  readonly recent: readonly DetectedArticle[]
}

function windowOf({ entity, at, recent }: Recent, usual: Usual, hours: number): SpikeWindow {
  const articles = hours === LONGEST ? recent : recent.filter((one) => one.at > at - hours * HOUR_MS)
  const mentions = mentionsIn(entity, articles)
  return {
    hours,
    articles,
    mentions,
    velocity: rateRatio({ count: mentions, hours }, { count: usual.mentions, hours: usual.hours }),
  }
}

function continues(naming: NamingHistory, { hours, articles, velocity }: SpikeWindow): boolean {
  if (velocity < CONTINUES.velocity) return false
  return articles.length * naming.days.length >= CONTINUES.usual * sameHours(naming, hours, [0])
}

function crossing(naming: NamingHistory, usual: Usual, window: SpikeWindow): Figures | null {
  if (window.velocity < VELOCITY) return null
  const p = TESTS * chanceOf(window, usual)
  const origins = originsOf(window.articles)
  if (p >= RARE || origins < ORIGINS) return null
  if (isRhythm(naming, window) || restsOnOne(naming, usual, window)) return null
  return {
    velocity: window.velocity,
    baseline: window.mentions / window.velocity,
    window_hours: window.hours,
    count: window.mentions,
    origins,
    p_value: p,
    sentiment_before: null,
    sentiment_after: null,
    low_support: hasLowSupport({ origins, days_of_history: usual.namedOn }),
  }
}

/** Counts articles, since the mentions of one article are not independent. */
const chanceOf = ({ hours, articles }: SpikeWindow, usual: Usual): number =>
  chance({ count: articles.length, prior: usual.articles, share: hours / (usual.hours + hours) })

/**
 * Whether the window is as rare compared with the day before it. A detected level stays high for days but is not
 * detected again.
 */
function isNewSince({ arrival, at }: NamingHistory, { hours, articles }: SpikeWindow): boolean {
  const until = at - LONGEST * HOUR_MS
  const dayBefore = countIn(arrival, { after: until - DAY_MS, until })
  return TESTS * chance({ count: articles.length, prior: dayBefore, share: hours / (24 + hours) }) < RARE
}

function isRhythm(naming: NamingHistory, { hours, articles }: SpikeWindow): boolean {
  const usual = sameHours(naming, hours, [-1, 0, 1])
  return chance({ count: articles.length, prior: usual, share: 1 / (naming.days.length + 1) }) >= RARE_FOR_ITS_HOURS
}

/**
 * Articles at the same hours of previous days, using the busiest shift of each day, since a rhythm is not exact to the
 * minute.
 */
function sameHours({ arrival, at, days }: NamingHistory, hours: number, shifts: readonly number[]): number {
  const onDay = (day: number): number =>
    Math.max(
      ...shifts.map((shift) => {
        const until = at - (dayOf(at) - day) * DAY_MS + shift * HOUR_MS
        return countIn(arrival, { after: until - hours * HOUR_MS, until })
      }),
    )
  return days.reduce((sum, day) => sum + onDay(day), 0)
}

/** Whether little is left without the source that contributes most of the window's articles. */
function restsOnOne({ arrival, at, days }: NamingHistory, usual: Usual, { hours, articles }: SpikeWindow): boolean {
  const earlier = priorArticles(arrival, days).filter((one) => one.at <= at - LONGEST * HOUR_MS)
  const accounts = independentSourceOfEach([...earlier, ...articles].map(accountOf))
  const recent = accounts.slice(earlier.length)
  const busiest = mostFrequent(recent)?.[0]
  const others = recent.filter((one) => one !== busiest).length
  const othersBefore = accounts.slice(0, earlier.length).filter((one) => one !== busiest).length
  return others * usual.hours < WITHOUT_BUSIEST * othersBefore * hours
}

function rarest(found: readonly Figures[]): Figures | null {
  const [first, ...others] = found
  if (first === undefined) return null
  return others.reduce((rare, one) => ((one.p_value ?? 1) < (rare.p_value ?? 1) ? one : rare), first)
}

/**
 * The probability that chance alone brings at least `count` articles to a window if the same rate brought `prior` to
 * the baseline period. Both are Poisson, so given their sum the window's count is binomial. `share` is the window's
 * share of both periods. Conditioning on the sum means that the rate need not be known, and that a short history
 * carries its actual weight.
 */
export function chance({ count, prior, share }: { count: number; prior: number; share: number }): number {
  const all = count + prior
  if (count <= all * share) return 1 // no more than expected
  let [term, sum] = [1, 1]
  const odds = share / (1 - share)
  for (let k = count; k < all && term > sum * NEGLIGIBLE; k++) {
    term *= ((all - k) / (k + 1)) * odds
    sum += term
  }
  const first = logOfChoices(all, count) + count * Math.log(share) + prior * Math.log1p(-share)
  return Math.min(1, sum * Math.exp(first))
}

/** Terms below this no longer change the sum. */
const NEGLIGIBLE = 1e-17

/** Logarithm of the number of ways to choose `chosen` of `all`. */
function logOfChoices(all: number, chosen: number): number {
  let sum = 0
  for (let k = 1; k <= Math.min(chosen, all - chosen); k++) sum += Math.log((all - k + 1) / k)
  return sum
}
