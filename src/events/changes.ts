import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'
import type { ArticleScored } from './articles.ts'
import type { StoryEnriched } from './discourse.ts'
import type { StoryTransitioned } from './lifecycle.ts'
import type { TrendDetected } from './trends.ts'

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

/** `article.scored`: an article came; `article.revised`: with another text or title than before. */
export interface ArticlePayload extends Pick<
  ArticleScored,
  | 'article_id'
  | 'title'
  | 'url'
  | 'source'
  | 'language'
  | 'quality_score'
  | 'forwarded'
  | 'gate_reason'
  | 'semantic_hash'
> {
  /** ISO 8601. */
  readonly published_date: string | null
}

/** `cluster.*`: what happened to a story, as `GET /v1/clusters/changes` answers it. */
export interface ClusterPayload {
  /** The story that the articles came to; of `cluster.settled`: the story that they are. */
  readonly cluster_id: string
  /** The story they left; null: none. */
  readonly from_cluster_id: string | null
  readonly article_ids: readonly string[]
  /** Of a curator's word. */
  readonly correction_id: string | null
  readonly correction_action: string | null
}

/** `story.transitioned`: a story moved to another lifecycle state. */
export interface TransitionPayload extends Pick<
  StoryTransitioned,
  'cluster_id' | 'lifecycle_state' | 'previous_state' | 'rule' | 'facts'
> {
  /** ISO 8601: the moment it was evaluated for. */
  readonly evaluated_at: string
}

/** `story.enriched`: how a platform receives a story now. */
export type ReceptionPayload = Pick<
  StoryEnriched,
  | 'cluster_id'
  | 'platform'
  | 'sentiment_score'
  | 'sentiment_label'
  | 'controversy_score'
  | 'counter_narrative_detected'
  | 'counter_narrative_confidence'
  | 'comment_count_analyzed'
  | 'dominant_themes'
  | 'novel_entities'
>

type Detection = Pick<TrendDetected, 'velocity' | 'window_hours' | 'origins' | 'low_support'>

/** `trend.detected`: a story grows fast. */
export interface TrendPayload extends Detection, Pick<TrendDetected, 'category' | 'baseline'> {
  readonly cluster_id: string
  readonly title: string
  readonly article_count: number
}

/** `entity.spike`: an entity is named far more than usual. */
export interface SpikePayload extends Detection, Pick<TrendDetected, 'name' | 'baseline' | 'p_value'> {
  readonly entity_id: string
  readonly mention_count: number
}

/** `sentiment.shift`: the tone towards an entity changes. */
export interface ShiftPayload extends Detection, Pick<TrendDetected, 'name' | 'sentiment_before' | 'sentiment_after'> {
  readonly entity_id: string
  readonly mention_count: number
}

/** What readers of the feed get as `data`, by the change's type. Every type's first key is the change's `subject_id`. */
export interface ChangeData {
  readonly 'article.scored': ArticlePayload
  readonly 'article.revised': ArticlePayload
  readonly 'cluster.opened': ClusterPayload
  readonly 'cluster.grown': ClusterPayload
  readonly 'cluster.moved': ClusterPayload
  readonly 'cluster.merged': ClusterPayload
  readonly 'cluster.split': ClusterPayload
  readonly 'cluster.settled': ClusterPayload
  readonly 'cluster.corrected': ClusterPayload
  readonly 'story.transitioned': TransitionPayload
  readonly 'story.enriched': ReceptionPayload
  readonly 'trend.detected': TrendPayload
  readonly 'entity.spike': SpikePayload
  readonly 'sentiment.shift': ShiftPayload
}

/** A change's type with the `data` of that type: one member a type. */
export type Change = {
  readonly [Type in ChangeType]: { readonly type: Type; readonly data: ChangeData[Type] }
}[ChangeType]
