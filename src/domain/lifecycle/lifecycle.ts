import { HOUR_MS } from '../days.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'

/** All thresholds of the rules, in milliseconds, articles, posts, origins and shares. */
export const LIFECYCLE = {
  /** The first article is younger than `youngMs`, and the last `windowMs` hold at least `origins` independent texts. */
  breaking: { youngMs: 6 * HOUR_MS, windowMs: 2 * HOUR_MS, origins: 3 },
  /**
   * The last article is younger than `youngMs`, and the last `windowMs` hold at least `shareOfPeak` of the articles of
   * the peak day.
   */
  developing: { youngMs: 24 * HOUR_MS, windowMs: 24 * HOUR_MS, shareOfPeak: 0.25 },
  mature: { youngMs: 72 * HOUR_MS },
  contested: {
    /** Other platforms do not affect the state. */
    platforms: ['reddit', 'bluesky'],
    /** Maximum age of an enrichment that counts. */
    freshMs: 48 * HOUR_MS,
    /** A discussion is active while its newest post is at most this old and it has at least `posts` posts. */
    activeMs: 48 * HOUR_MS,
    posts: 5,
    /** Reaching either value of `enters` makes a story contested. It stays contested until both are below `leaves`. */
    enters: { controversy: 0.6, confidence: 0.7 },
    leaves: { controversy: 0.5, confidence: 0.6 },
    /**
     * A row written up to this long after `at` still counts as present at that time: clocks and ticks differ by this
     * much.
     */
    aheadMs: HOUR_MS / 6,
  },
}

export type LifecycleNumbers = Readonly<typeof LIFECYCLE>

/** The articles of a story up to a point in time; times in milliseconds since 1970. */
export interface Coverage {
  /** Event time of its first and last article. */
  readonly first_published: number
  readonly last_published: number
  /** Independent texts in the window of `breaking`. */
  readonly recent_origins: number
  /** Articles in the window of `developing`. */
  readonly recent_articles: number
  /** Articles on the UTC day with the most articles. */
  readonly peak_day_articles: number
}

/** The reception of a story on one platform. */
export interface PlatformReception {
  readonly platform: string
  /** 0 to 1. */
  readonly controversy_score: number
  readonly counter_narrative_confidence: number
  /** Number of distinct posts: copies of one text count once. */
  readonly posts: number
  readonly newest_post: number
  /** When the row was last written. */
  readonly updated: number
}

export interface StoryFacts extends Coverage {
  readonly receptions: readonly PlatformReception[]
}

export interface Evaluation {
  readonly facts: StoryFacts
  /** The state that was last persisted; `null` if there is none. */
  readonly previous: LifecycleState | null
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The rule that fired: the rule of the state, or the one that keeps a story contested. */
export type LifecycleRule = LifecycleState | 'contested_still'

export interface Fired {
  readonly state: LifecycleState
  readonly rule: LifecycleRule
  /** For a contested story, the row that makes it contested; otherwise `null`. */
  readonly row: CountedReception | null
}

/** A row that counts, with ages in milliseconds. */
export interface CountedReception extends PlatformReception {
  readonly age: number
  readonly silence: number
}

/** The state of a story at a point in time, by the first rule that matches. */
export function lifecycle({ facts, previous, at }: Evaluation, numbers: LifecycleNumbers): Fired {
  const state = covered(facts, at, numbers)
  if (state !== 'concluded' || facts.receptions.length === 0) return { state, rule: state, row: null }

  const fresh = counted(facts.receptions, at, numbers)
  const entering = fresh.find((row) => isActive(row, numbers) && isHot(row, numbers.contested.enters))
  if (entering !== undefined) return { state: 'contested', rule: 'contested', row: entering }
  const staying = previous === 'contested' ? fresh.find((row) => isHot(row, numbers.contested.leaves)) : undefined
  if (staying !== undefined) return { state: 'contested', rule: 'contested_still', row: staying }
  return { state, rule: state, row: null }
}

function covered(facts: Coverage, at: number, { breaking, developing, mature }: LifecycleNumbers) {
  if (since(facts.first_published, at) < breaking.youngMs && facts.recent_origins >= breaking.origins) return 'breaking'
  const last = since(facts.last_published, at)
  const goesOn = facts.recent_articles >= developing.shareOfPeak * facts.peak_day_articles
  if (last < developing.youngMs && goesOn) return 'developing'
  return last < mature.youngMs ? 'mature' : 'concluded'
}

/** Rows that are fresh and from a platform that counts, the highest score first. */
const counted = (
  receptions: readonly PlatformReception[],
  at: number,
  { contested }: LifecycleNumbers,
): readonly CountedReception[] =>
  receptions
    .filter((row) => contested.platforms.includes(row.platform) && row.posts > 0)
    .map((row) => ({
      ...row,
      age: enrichmentAge(row, at, contested.aheadMs),
      silence: since(row.newest_post, at),
    }))
    .filter(({ age }) => age <= contested.freshMs)
    .sort((a, b) => heat(b) - heat(a) || (a.platform < b.platform ? -1 : 1))

const isActive = ({ silence, posts }: CountedReception, { contested }: LifecycleNumbers): boolean =>
  silence <= contested.activeMs && posts >= contested.posts

/** Age in milliseconds. For a past point in time, a row written after it is as old as its newest post. */
export const enrichmentAge = (
  { updated, newest_post }: Pick<PlatformReception, 'updated' | 'newest_post'>,
  at: number,
  aheadMs: number,
): number => since(updated > at + aheadMs ? newest_post : updated, at)

type Heat = LifecycleNumbers['contested']['enters']

const isHot = (row: PlatformReception, { controversy, confidence }: Heat): boolean =>
  row.controversy_score >= controversy || row.counter_narrative_confidence >= confidence

const heat = (row: PlatformReception): number => Math.max(row.controversy_score, row.counter_narrative_confidence)

/** Milliseconds from `moment` to `at`; 0 if `moment` is later. */
const since = (moment: number, at: number): number => Math.max(0, at - moment)

/** Why a story is in its state. */
export interface LifecycleReason {
  readonly rule: string
  /** The inputs of the rule; ages in hours. */
  readonly values: Readonly<Record<string, number>>
  /** The same as a sentence. */
  readonly text: string
}

/** Why a rule fired, as values and as a sentence. */
export function reason(fired: Fired, { facts, at }: Evaluation, numbers: LifecycleNumbers): LifecycleReason {
  const { state, rule, row } = fired
  const first = since(facts.first_published, at)
  const last = since(facts.last_published, at)
  const { recent_origins: origins, recent_articles: articles, peak_day_articles: peak } = facts

  if (state === 'breaking') {
    const window = span(numbers.breaking.windowMs)
    const values = { first_article_age_hours: hours(first), [`origins_${window}`]: origins }
    const text = `its first article is ${ago(first)} old, and ${origins} independent origins reported in the last ${window}`
    return { rule, values, text }
  }
  const window = span(numbers.developing.windowMs)
  const values = {
    last_article_age_hours: hours(last),
    [`articles_${window}`]: articles,
    peak_day_articles: peak,
  }
  if (state === 'developing' || state === 'mature') {
    const text = `its last article is ${ago(last)} old; the last ${window} hold ${articles}, its peak day ${peak}`
    return { rule, values, text }
  }
  const quiet = `no article has come for ${ago(last)}`
  if (row === null) return { rule, values, text: quiet }
  const verb = rule === 'contested' ? 'contests' : 'still contests'
  return {
    rule,
    values: { ...values, ...rowValues(row) },
    text: `${quiet}, but ${row.platform} ${verb} it: ${said(row)}`,
  }
}

const rowValues = (row: CountedReception) => ({
  controversy_score: row.controversy_score,
  counter_narrative_confidence: row.counter_narrative_confidence,
  posts: row.posts,
  newest_post_age_hours: hours(row.silence),
  enrichment_age_hours: hours(row.age),
})

const said = ({ controversy_score, counter_narrative_confidence, posts, silence }: CountedReception): string =>
  `controversy ${round(controversy_score)}, counter-narrative confidence ${round(counter_narrative_confidence)}, ` +
  `${posts} posts, the newest ${ago(silence)} old`

const hours = (ms: number): number => round(ms / HOUR_MS)
const round = (value: number): number => Math.round(value * 100) / 100

/** `2h`. */
const span = (ms: number): string => `${round(ms / HOUR_MS)}h`

/** `40 minutes`, `5.5 hours`, `12 days`. */
function ago(ms: number): string {
  const [days, inHours, minutes] = [ms / (24 * HOUR_MS), ms / HOUR_MS, ms / 60_000]
  if (days >= 4) return `${Math.round(days * 10) / 10} days`
  return inHours >= 2 ? `${Math.round(inHours * 10) / 10} hours` : `${Math.round(minutes)} minutes`
}
