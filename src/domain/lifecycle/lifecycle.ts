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
     * A reception written at most this long after `at` still belongs to that time, since clocks and ticks may differ
     * by this much.
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
  /** When the newest post was written, milliseconds since 1970. */
  readonly newest_post: number
  /** When the row was last written, milliseconds since 1970. */
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
  /** For a contested story, the reception that makes it contested; otherwise `null`. */
  readonly row: CountedReception | null
}

/** A recent reception, with its ages in milliseconds: of the enrichment (`age`) and of the newest post (`silence`). */
export interface CountedReception extends PlatformReception {
  readonly age: number
  readonly silence: number
}

/** The state of a story at a point in time, by the first rule that matches. */
export function lifecycle({ facts, previous, at }: Evaluation, numbers: LifecycleNumbers): Fired {
  const state = stateByCoverage(facts, at, numbers)
  if (state !== 'concluded' || facts.receptions.length === 0) return { state, rule: state, row: null }

  const fresh = freshReceptions(facts.receptions, at, numbers)
  const entering = fresh.find((row) => isActive(row, numbers) && reaches(row, numbers.contested.enters))
  if (entering !== undefined) return { state: 'contested', rule: 'contested', row: entering }
  const staying = previous === 'contested' ? fresh.find((row) => reaches(row, numbers.contested.leaves)) : undefined
  if (staying !== undefined) return { state: 'contested', rule: 'contested_still', row: staying }
  return { state, rule: state, row: null }
}

function stateByCoverage(facts: Coverage, at: number, { breaking, developing, mature }: LifecycleNumbers) {
  if (elapsed(facts.first_published, at) < breaking.youngMs && facts.recent_origins >= breaking.origins)
    return 'breaking'
  const last = elapsed(facts.last_published, at)
  const isContinuing = facts.recent_articles >= developing.shareOfPeak * facts.peak_day_articles
  if (last < developing.youngMs && isContinuing) return 'developing'
  return last < mature.youngMs ? 'mature' : 'concluded'
}

/** Receptions on the configured platforms whose enrichment is at most `freshMs` old, the highest score first. */
const freshReceptions = (
  receptions: readonly PlatformReception[],
  at: number,
  { contested }: LifecycleNumbers,
): readonly CountedReception[] =>
  receptions
    .filter((row) => contested.platforms.includes(row.platform) && row.posts > 0)
    .map((row) => ({
      ...row,
      age: enrichmentAge(row, at, contested.aheadMs),
      silence: elapsed(row.newest_post, at),
    }))
    .filter(({ age }) => age <= contested.freshMs)
    .sort((a, b) => peakScore(b) - peakScore(a) || (a.platform < b.platform ? -1 : 1))

const isActive = ({ silence, posts }: CountedReception, { contested }: LifecycleNumbers): boolean =>
  silence <= contested.activeMs && posts >= contested.posts

/** Age in milliseconds at `at`. If the row was written after `at`, the age of its newest post is used. */
export const enrichmentAge = (
  { updated, newest_post }: Pick<PlatformReception, 'updated' | 'newest_post'>,
  at: number,
  aheadMs: number,
): number => elapsed(updated > at + aheadMs ? newest_post : updated, at)

type ContestedThresholds = LifecycleNumbers['contested']['enters']

const reaches = (row: PlatformReception, { controversy, confidence }: ContestedThresholds): boolean =>
  row.controversy_score >= controversy || row.counter_narrative_confidence >= confidence

const peakScore = (row: PlatformReception): number => Math.max(row.controversy_score, row.counter_narrative_confidence)

/** Milliseconds from `moment` to `at`; 0 if `moment` is later. */
const elapsed = (moment: number, at: number): number => Math.max(0, at - moment)

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
  const first = elapsed(facts.first_published, at)
  const last = elapsed(facts.last_published, at)
  const { recent_origins: origins, recent_articles: articles, peak_day_articles: peak } = facts

  if (state === 'breaking') {
    const window = span(numbers.breaking.windowMs)
    const values = { first_article_age_hours: hours(first), [`origins_${window}`]: origins }
    const text = `its first article is ${durationText(first)} old, and ${origins} independent origins reported in the last ${window}`
    return { rule, values, text }
  }
  const window = span(numbers.developing.windowMs)
  const values = {
    last_article_age_hours: hours(last),
    [`articles_${window}`]: articles,
    peak_day_articles: peak,
  }
  if (state === 'developing' || state === 'mature') {
    const text = `its last article is ${durationText(last)} old; the last ${window} hold ${articles}, its peak day ${peak}`
    return { rule, values, text }
  }
  const quiet = `no article has come for ${durationText(last)}`
  if (row === null) return { rule, values, text: quiet }
  const verb = rule === 'contested' ? 'contests' : 'still contests'
  return {
    rule,
    values: { ...values, ...rowValues(row) },
    text: `${quiet}, but ${row.platform} ${verb} it: ${describeReception(row)}`,
  }
}

const rowValues = (row: CountedReception) => ({
  controversy_score: row.controversy_score,
  counter_narrative_confidence: row.counter_narrative_confidence,
  posts: row.posts,
  newest_post_age_hours: hours(row.silence),
  enrichment_age_hours: hours(row.age),
})

const describeReception = ({
  controversy_score,
  counter_narrative_confidence,
  posts,
  silence,
}: CountedReception): string =>
  `controversy ${round(controversy_score)}, counter-narrative confidence ${round(counter_narrative_confidence)}, ` +
  `${posts} posts, the newest ${durationText(silence)} old`

const hours = (ms: number): number => round(ms / HOUR_MS)
const round = (value: number): number => Math.round(value * 100) / 100

/** Such as `2h`. */
const span = (ms: number): string => `${round(ms / HOUR_MS)}h`

/** Such as `40 minutes`, `5.5 hours` or `12 days`. */
function durationText(ms: number): string {
  const [days, inHours, minutes] = [ms / (24 * HOUR_MS), ms / HOUR_MS, ms / 60_000]
  if (days >= 4) return `${Math.round(days * 10) / 10} days`
  if (inHours >= 2) return `${Math.round(inHours * 10) / 10} hours`
  const whole = Math.round(minutes)
  return whole === 1 ? '1 minute' : `${whole} minutes`
}
