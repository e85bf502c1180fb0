import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

export type DetectionType = 'trend.detected' | 'entity.spike' | 'sentiment.shift'

/** `trends.detected`: a crossing, emitted once. `occurred_at` is the event time of the article that crossed. */
export interface TrendDetected extends Envelope {
  readonly type: DetectionType
  /** Cluster id of a trend, else entity id. */
  readonly subject_id: string
  /** Title or canonical name. */
  readonly name: string
  /** Of a story: the first of its categories. */
  readonly category: string | null
  /** Multiple of the baseline. */
  readonly velocity: number
  /** Per window, before it. */
  readonly baseline: number
  readonly window_hours: number
  /** Mentions, or articles of a story, in the window. */
  readonly count: number
  /** Independent accounts among them. */
  readonly origins: number
  /** Of a spike: the probability of as much by chance. */
  readonly p_value: number | null
  /** Of a shift: means of the 6 hours before the last 6, and of these. */
  readonly sentiment_before: number | null
  readonly sentiment_after: number | null
  /** True under 3 origins or 3 days of history. */
  readonly low_support: boolean
}

export const trendsDetected = topic<TrendDetected>('trends.detected', (e) => e.namespace, timesIn('occurred_at'))
