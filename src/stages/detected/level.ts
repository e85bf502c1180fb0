import { independentAccounts } from '../../domain/trends/accounts.ts'
import type { TrendDetected } from '../../events/trends.ts'
import type { DetectedArticle } from './memory.ts'
import type { TimelineArrival } from './timeline.ts'

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
