import type { LifecycleState } from './lifecycle.ts'

const HOUR_MS = 3_600_000

/** Every number of the rules, in milliseconds, articles, posts, origins and shares. */
export interface LifecycleNumbers {
  /** The first article is younger than `youngMs`, and `origins` independent texts came in the last `windowMs`. */
  readonly breaking: { readonly youngMs: number; readonly windowMs: number; readonly origins: number }
  /** The last article is younger than `youngMs`, and the last `windowMs` hold `shareOfPeak` of the peak day's articles. */
  readonly developing: { readonly youngMs: number; readonly windowMs: number; readonly shareOfPeak: number }
  readonly mature: { readonly youngMs: number }
  readonly contested: {
    /** Rows of other platforms say nothing about the state. */
    readonly platforms: readonly string[]
    /** An enrichment up to this old counts. */
    readonly freshMs: number
    /** The public still talks while its newest post is up to this old, and there are `posts`. */
    readonly activeMs: number
    readonly posts: number
    /** Either of them makes a story contested; it stays so until both have fallen below `leaves`. */
    readonly enters: Heat
    readonly leaves: Heat
    /** A row written up to this much after the moment asked about was there at it: clocks and ticks differ by so much. */
    readonly aheadMs: number
  }
}

interface Heat {
  readonly controversy: number
  readonly confidence: number
}

export const LIFECYCLE: LifecycleNumbers = {
  breaking: { youngMs: 6 * HOUR_MS, windowMs: 2 * HOUR_MS, origins: 3 },
  developing: { youngMs: 24 * HOUR_MS, windowMs: 24 * HOUR_MS, shareOfPeak: 0.25 },
  mature: { youngMs: 72 * HOUR_MS },
  contested: {
    platforms: ['reddit', 'bluesky'],
    freshMs: 48 * HOUR_MS,
    activeMs: 48 * HOUR_MS,
    posts: 5,
    enters: { controversy: 0.6, confidence: 0.7 },
    leaves: { controversy: 0.5, confidence: 0.6 },
    aheadMs: HOUR_MS / 6,
  },
}

/** What newspapers did with a story up to a moment; times in milliseconds since 1970. */
export interface Coverage {
  /** Event time of its first and last article. */
  readonly first_published: number
  readonly last_published: number
  /** Independent texts in the window of `breaking`. */
  readonly recent_origins: number
  /** Articles in the window of `developing`. */
  readonly recent_articles: number
  /** Articles of the UTC day that had most. */
  readonly peak_day_articles: number
}

/** How one platform received a story. */
export interface PlatformReception {
  readonly platform: string
  /** 0 to 1. */
  readonly controversy_score: number
  readonly counter_narrative_confidence: number
  /** Different ones: copies of one text are one. */
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
  /** The last state that was persisted; null: none was. */
  readonly previous: LifecycleState | null
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Which rule fired: that of its state, or the one that keeps a story contested. */
export type LifecycleRule = LifecycleState | 'contested_still'

export interface Verdict {
  readonly state: LifecycleState
  readonly rule: LifecycleRule
  /** What the rule looked at; ages in hours. */
  readonly values: Readonly<Record<string, number>>
  /** The same in a sentence. */
  readonly text: string
}

/** The state of a story at a moment, by the first rule that matches. */
export function lifecycle(evaluation: Evaluation, numbers: LifecycleNumbers): Verdict {
  const coverage = covered(evaluation, numbers)
  if (coverage.state !== 'concluded') return coverage
  return contested(evaluation, numbers, coverage) ?? coverage
}

function covered({ facts, at }: Evaluation, { breaking, developing, mature }: LifecycleNumbers): Verdict {
  const first = since(facts.first_published, at)
  const last = since(facts.last_published, at)
  const { recent_origins: origins, recent_articles: articles, peak_day_articles: peak } = facts

  if (first < breaking.youngMs && origins >= breaking.origins) {
    const values = { first_article_age_hours: hours(first), [`origins_${span(breaking.windowMs)}`]: origins }
    const text = `its first article is ${ago(first)} old, and ${origins} independent origins reported in the last ${span(breaking.windowMs)}`
    return { state: 'breaking', rule: 'breaking', values, text }
  }

  const pace = { [`articles_${span(developing.windowMs)}`]: articles, peak_day_articles: peak }
  const values = { last_article_age_hours: hours(last), ...pace }
  const counts = `the last ${span(developing.windowMs)} hold ${articles}, its peak day ${peak}`
  if (last < developing.youngMs && articles >= developing.shareOfPeak * peak) {
    return { state: 'developing', rule: 'developing', values, text: `its last article is ${ago(last)} old; ${counts}` }
  }
  if (last < mature.youngMs) {
    return { state: 'mature', rule: 'mature', values, text: `its last article is ${ago(last)} old; ${counts}` }
  }
  return { state: 'concluded', rule: 'concluded', values, text: `no article has come for ${ago(last)}` }
}

/** Null: the public does not contest a story that newspapers are done with. */
function contested(evaluation: Evaluation, numbers: LifecycleNumbers, coverage: Verdict): Verdict | null {
  const { facts, previous, at } = evaluation
  const rules = numbers.contested
  const fresh = facts.receptions
    .filter((row) => rules.platforms.includes(row.platform) && row.posts > 0)
    .map((row) => ({ ...row, age: enrichmentAge(row, at, rules.aheadMs), silence: since(row.newest_post, at) }))
    .filter(({ age }) => age <= rules.freshMs)
    .sort((a, b) => heat(b) - heat(a) || (a.platform < b.platform ? -1 : 1))

  const entering = fresh.find(
    (row) => row.silence <= rules.activeMs && row.posts >= rules.posts && isHot(row, rules.enters),
  )
  const staying = previous === 'contested' ? fresh.find((row) => isHot(row, rules.leaves)) : undefined
  const row = entering ?? staying
  if (row === undefined) return null

  const values = {
    ...coverage.values,
    controversy_score: row.controversy_score,
    counter_narrative_confidence: row.counter_narrative_confidence,
    posts: row.posts,
    newest_post_age_hours: hours(row.silence),
    enrichment_age_hours: hours(row.age),
  }
  const said = `${coverage.text}, but ${row.platform} ${entering === undefined ? 'still contests' : 'contests'} it`
  const how = `controversy ${round(row.controversy_score)}, counter-narrative confidence ${round(row.counter_narrative_confidence)}, ${row.posts} posts, the newest ${ago(row.silence)} old`
  return {
    state: 'contested',
    rule: entering === undefined ? 'contested_still' : 'contested',
    values,
    text: `${said}: ${how}`,
  }
}

/** A row written after the moment asked about (a moment of the past) is as old as its newest post. */
const enrichmentAge = ({ updated, newest_post }: PlatformReception, at: number, aheadMs: number): number =>
  since(updated > at + aheadMs ? newest_post : updated, at)

const isHot = (row: PlatformReception, { controversy, confidence }: Heat): boolean =>
  row.controversy_score >= controversy || row.counter_narrative_confidence >= confidence

const heat = (row: PlatformReception): number => Math.max(row.controversy_score, row.counter_narrative_confidence)

/** Milliseconds; what comes after the moment is no time ago. */
const since = (moment: number, at: number): number => Math.max(0, at - moment)

const hours = (ms: number): number => round(ms / HOUR_MS)

const round = (value: number): number => Math.round(value * 100) / 100

/** `2h`. */
const span = (ms: number): string => `${round(ms / HOUR_MS)}h`

/** `40 minutes`, `5.5 hours`, `12 days`. */
function ago(ms: number): string {
  const past = [
    [ms / 86_400_000, 'days'],
    [ms / HOUR_MS, 'hours'],
    [ms / 60_000, 'minutes'],
  ] as const
  const [days, inHours, minutes] = past
  const [value, unit] = days[0] >= 4 ? days : inHours[0] >= 2 ? inHours : minutes
  return `${unit === 'minutes' ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`
}
