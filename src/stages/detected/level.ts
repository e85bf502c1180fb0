import { countIndependentSources } from '../../domain/trends/accounts.ts'
import type { TrendDetected } from '../../events/trends.ts'
import { type DetectedArticle, mentionsOf, type DetectedEntity, type Prior } from './memory.ts'
import { type TimelineArrival, spanOf, allIn, isIn } from './timeline.ts'
import { HOUR_MS, dayOf } from '../../domain/days.ts'

/** Minimum number of independent sources for a detection. */
export const ORIGINS = 3

/** The figures of a detection. */
export type Figures = Pick<
  TrendDetected,
  | 'velocity'
  | 'baseline'
  | 'window_hours'
  | 'count'
  | 'origins'
  | 'p_value'
  | 'sentiment_before'
  | 'sentiment_after'
  | 'low_support'
>

/** The level of a subject at a point in time. Functions return `null` instead if it is far below the threshold. */
export interface Level {
  /** At least half of the threshold: a detection continues. */
  readonly isHigh: boolean
  /**
   * Called only if nothing was detected within a day. `again`: something was detected within a week. `null` if the
   * level is below the threshold.
   */
  crossed(again: boolean): Figures | null
}

/** The articles of a story or an entity, including the arriving one, as of a point in time. */
export interface Arriving {
  readonly arrival: TimelineArrival<DetectedArticle>
  /** Event time; later articles are ignored. */
  readonly at: number
}

export const originsOf = (articles: readonly DetectedArticle[]): number =>
  countIndependentSources(articles.map(accountOf))
export const accountOf = ({ at, id, text, house }: DetectedArticle) => ({ at, article_id: id, text, house })

/** An entity that the arriving article names. */
export interface NamingHistory extends Arriving {
  readonly entity: DetectedEntity
  /** Complete ingestion days before the point in time, earliest first. */
  readonly days: readonly number[]
}

/** How often the entity was named on the days of its history. */
export function priorOf({ entity, arrival, days }: NamingHistory): Prior {
  const { added, without } = arrival
  const isFresh = days.some((day) => [added, without].some((one) => one !== null && isIn(one, spanOf(day))))
  if (isFresh) return summed(entity, arrival, days)
  if (entity.prior?.days !== days) entity.prior = summed(entity, arrival, days)
  return entity.prior
}

function summed(entity: DetectedEntity, arrival: TimelineArrival<DetectedArticle>, days: readonly number[]): Prior {
  const byDay = days.map((day) => mentionsIn(entity, allIn(arrival, spanOf(day))))
  return {
    days,
    articles: priorArticles(arrival, days).length,
    mentions: byDay.reduce((sum, mentions) => sum + mentions, 0),
    namedOn: byDay.filter((mentions) => mentions > 0).length,
  }
}

/** The baseline: the days of the history, without what the current windows contain. */
export interface Usual extends Pick<Prior, 'articles' | 'mentions' | 'namedOn'> {
  readonly hours: number
}

/** `longest`: length of the longest window in milliseconds. It may reach back beyond midnight. */
export function usualOf(naming: NamingHistory, longest: number): Usual {
  const { entity, arrival, at, days } = naming
  const { articles, mentions, namedOn } = priorOf(naming)
  const midnight = spanOf(dayOf(at)).after
  const own = { after: at - longest, until: midnight }
  if (own.after >= midnight || days.at(-1) !== dayOf(at) - 1)
    return { articles, mentions, namedOn, hours: 24 * days.length }
  const overlap = allIn(arrival, own)
  return {
    articles: articles - overlap.length,
    mentions: mentions - mentionsIn(entity, overlap),
    namedOn,
    hours: 24 * days.length - (midnight - own.after) / HOUR_MS,
  }
}

export const priorArticles = (
  arrival: TimelineArrival<DetectedArticle>,
  days: readonly number[],
): readonly DetectedArticle[] => days.flatMap((day) => allIn(arrival, spanOf(day)))

export function mentionsIn(entity: DetectedEntity, articles: readonly DetectedArticle[]): number {
  let sum = 0
  for (const article of articles) sum += mentionsOf(article, entity)
  return sum
}

/** The most frequent word (ties by name) and its frequency. */
export function mostFrequent(words: readonly string[]): readonly [string, number] | undefined {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))[0]
}
