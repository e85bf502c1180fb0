import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

/** The types of the feed, in the order of the pipeline. */
export const CHANGE_TYPES = [
  'article.scored',
  'article.revised',
  'cluster.opened',
  'cluster.grown',
  'cluster.moved',
  'cluster.merged',
  'cluster.split',
  'cluster.settled',
  'cluster.corrected',
  'story.transitioned',
  'story.enriched',
  'trend.detected',
  'entity.spike',
  'sentiment.shift',
] as const

export type ChangeType = (typeof CHANGE_TYPES)[number]

/**
 * `changes.published`: one line of the one feed, which SSE, polling and webhooks deliver alike. Its offset is the place a
 * reader goes on from; its `event_id` is what it de-duplicates by.
 */
export interface ChangePublished extends Envelope {
  readonly type: ChangeType
  /** Article, cluster or entity id. */
  readonly subject_id: string
  /** Entities it touches, for filters. */
  readonly entity_ids: readonly string[]
  /** Of a trend or spike, for filters. */
  readonly velocity: number | null
  /** Of the story it is about as it is then, for filters; null: about none, or written before it was kept. */
  readonly membership: 'provisional' | 'settled' | null
  /** Of that story's least certain article, 0 to 1; null: not known, or about none. */
  readonly assignment_confidence: number | null
  /** JSON: what readers get as `data`. */
  readonly data: string
}

export const changesPublished = topic<ChangePublished>('changes.published', (e) => e.namespace, timesIn('occurred_at'))
