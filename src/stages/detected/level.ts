import { independentAccounts } from '../../domain/trends/accounts.ts'
import type { TrendDetected } from '../../events/trends.ts'
import { type DetectedArticle, mentionsOf, type DetectedEntity, type Prior } from './memory.ts'
import { type TimelineArrival, spanOf, allIn, isIn } from './timeline.ts'
import { HOUR_MS, dayOf } from '../../domain/days.ts'

/** Accounts that must agree before anything is detected. */
export const ORIGINS = 3

/** What a detection says in numbers. */
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

/** Where something stands at a moment; null in its place: nowhere near its threshold. */
export interface Level {
  /** Half of what it takes, or more: what was detected goes on. */
  readonly isHigh: boolean
  /** Asked only where nothing was detected in a day. `again`: within a week it was. Null: below the threshold. */
  crossed(again: boolean): Figures | null
}

/** Articles of a story or an entity, the one that comes among them, as they are at a moment. */
export interface Arriving {
  readonly coming: TimelineArrival<DetectedArticle>
  /** Event time: what is later is not looked at. */
  readonly at: number
}

export const originsOf = (articles: readonly DetectedArticle[]): number => independentAccounts(articles.map(accountOf))
export const accountOf = ({ at, id, text, house }: DetectedArticle) => ({ at, article_id: id, text, house })

/** An entity that an article names as it comes. */
export interface NamingHistory extends Arriving {
  readonly entity: DetectedEntity
  /** Whole ingestion days before the moment's, the earliest first. */
  readonly days: readonly number[]
}

/** How much it was named on the days of its history. */
export function priorOf({ entity, coming, days }: NamingHistory): Prior {
  const { added, without } = coming
  const isFresh = days.some((day) => [added, without].some((one) => one !== null && isIn(one, spanOf(day))))
  if (isFresh) return summed(entity, coming, days)
  if (entity.prior?.days !== days) entity.prior = summed(entity, coming, days)
  return entity.prior
}

function summed(entity: DetectedEntity, coming: TimelineArrival<DetectedArticle>, days: readonly number[]): Prior {
  const byDay = days.map((day) => mentionsIn(entity, allIn(coming, spanOf(day))))
  return {
    days,
    articles: priorArticles(coming, days).length,
    mentions: byDay.reduce((sum, mentions) => sum + mentions, 0),
    namedOn: byDay.filter((mentions) => mentions > 0).length,
  }
}

/** What is usual: the days of its history, without what the moment's own windows hold. */
export interface Usual extends Pick<Prior, 'articles' | 'mentions' | 'namedOn'> {
  readonly hours: number
}

/** `longest`: milliseconds that the longest window looks back, beyond midnight maybe. */
export function usualOf(naming: NamingHistory, longest: number): Usual {
  const { entity, coming, at, days } = naming
  const { articles, mentions, namedOn } = priorOf(naming)
  const midnight = spanOf(dayOf(at)).after
  const own = { after: at - longest, until: midnight }
  if (own.after >= midnight || days.at(-1) !== dayOf(at) - 1)
    return { articles, mentions, namedOn, hours: 24 * days.length }
  const overlap = allIn(coming, own)
  return {
    articles: articles - overlap.length,
    mentions: mentions - mentionsIn(entity, overlap),
    namedOn,
    hours: 24 * days.length - (midnight - own.after) / HOUR_MS,
  }
}

export const priorArticles = (
  coming: TimelineArrival<DetectedArticle>,
  days: readonly number[],
): readonly DetectedArticle[] => days.flatMap((day) => allIn(coming, spanOf(day)))

export function mentionsIn(entity: DetectedEntity, articles: readonly DetectedArticle[]): number {
  let sum = 0
  for (const article of articles) sum += mentionsOf(article, entity)
  return sum
}

/** The word that occurs most often, of equals the first by name, and how often it does. */
export function mostFrequent(words: readonly string[]): readonly [string, number] | undefined {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))[0]
}
