import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

export type DetectionType = 'trend.detected' | 'entity.spike' | 'sentiment.shift'

/**
 * `trends.detected`: a threshold was crossed; emitted once. `occurred_at` is the event time of the article that crossed
 * it.
 */
export interface TrendDetected extends Envelope {
  readonly type: DetectionType
  /** A cluster id for a trend, otherwise an entity id. */
  readonly subject_id: string
  /** Title of the story or canonical name of the entity. */
  readonly name: string
  /** For a story: its first category. */
  readonly category: string | null
  /** Multiple of the baseline. */
  readonly velocity: number
  /** Expected count per window, before the current one. */
  readonly baseline: number
  readonly window_hours: number
  /** Mentions, or articles of a story, in the window. */
  readonly count: number
  /** Independent sources among them. */
  readonly origins: number
  /** For a spike: the probability of such a count by chance. */
  readonly p_value: number | null
  /** For a shift: mean sentiment of the 6 hours before the last 6, and of the last 6. */
  readonly sentiment_before: number | null
  readonly sentiment_after: number | null
  /** True with fewer than 3 independent sources or 3 days of history. */
  readonly low_support: boolean
}

export const trendsDetected = topic<TrendDetected>('trends.detected', (e) => e.namespace, timesIn('occurred_at'))
