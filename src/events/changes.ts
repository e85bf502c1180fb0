import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'
import type { ArticleScored } from './articles.ts'
import type { StoryEnriched } from './discourse.ts'
import type { StoryTransitioned } from './lifecycle.ts'
import type { MatchedStory, StoryMatched } from './monitors.ts'
import type { TrendDetected } from './trends.ts'

/** The types of the change feed, in pipeline order. */
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
  'monitor.matched',
  'monitor.digest',
] as const

export type ChangeType = (typeof CHANGE_TYPES)[number]

/**
 * `changes.published`: one event of the change feed, which SSE, polling and webhooks deliver. Readers resume by its
 * offset and de-duplicate by its `event_id`.
 */
export interface ChangePublished extends Envelope {
  readonly type: ChangeType
  /** Article, cluster or entity id. */
  readonly subject_id: string
  /** Entities that the change concerns, for filters. */
  readonly entity_ids: readonly string[]
  /** Velocity of a trend or spike, for filters; otherwise `null`. */
  readonly velocity: number | null
  /**
   * Membership state of the change's story at that time, for filters; `null` if it concerns no story, or in older
   * records.
   */
  readonly membership: 'provisional' | 'settled' | null
  /** Confidence of that story's least certain article, 0 to 1; `null` if unknown or if it concerns no story. */
  readonly assignment_confidence: number | null
  /** Independent sources of the change's story, for filters; `null` if it concerns no story, or in older records. */
  readonly origin_count: number | null
  /** Canonical names of `entity_ids` as far as they are known, for filters. */
  readonly entity_names: readonly string[]
  /** Title of the article, or of the newest article of the story, for filters. */
  readonly title: string | null
  /** The only owner of keys that receives the change; empty if all keys of the namespace do. */
  readonly owner: string
  /** The monitor of `monitor.matched` and `monitor.digest`; otherwise `null`. */
  readonly monitor_id: string | null
  /** JSON that readers receive as `data`. */
  readonly data: string
}

/** Of a change of which nothing more is known, and which all keys of the namespace receive. */
export const NO_FILTER_FACTS = {
  origin_count: null,
  entity_names: [],
  title: null,
  owner: '',
  monitor_id: null,
} as const satisfies Partial<ChangePublished>

export const changesPublished = topic<ChangePublished>('changes.published', (e) => e.namespace, timesIn('occurred_at'))

/** `article.scored`: a new article. `article.revised`: an article with changed text or title. */
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

/** A change of a story, as returned by `GET /v1/clusters/changes`. */
export interface ClusterChange {
  /** The story that the articles are now in. */
  readonly cluster_id: string
  /** The story that the articles left; `null` if there is none. */
  readonly from_cluster_id: string | null
  readonly article_ids: readonly string[]
  /** Set if a curator's correction caused the change. */
  readonly correction_id: string | null
  readonly correction_action: string | null
}

interface CountedStory {
  /** Independent sources of the story after the change; `null` if not known. */
  readonly origin_count: number | null
}

/** `cluster.*`: a change of a story. The feed keeps what it counts in memory, the views that list `ClusterChange` do not. */
export interface ClusterPayload extends ClusterChange, CountedStory {}

/** `story.transitioned`: a story changed its lifecycle state. */
export interface TransitionPayload
  extends
    Pick<StoryTransitioned, 'cluster_id' | 'lifecycle_state' | 'previous_state' | 'rule' | 'facts'>,
    CountedStory {
  /** ISO 8601: the point in time of the evaluation. */
  readonly evaluated_at: string
}

/** `story.enriched`: the current reception of a story on a platform. */
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

/** `trend.detected`: coverage of a story grows fast. */
export interface TrendPayload extends Detection, Pick<TrendDetected, 'category' | 'baseline'> {
  readonly cluster_id: string
  readonly title: string
  readonly article_count: number
}

/** `entity.spike`: an entity is mentioned far more often than its baseline. */
export interface SpikePayload extends Detection, Pick<TrendDetected, 'name' | 'baseline' | 'p_value'> {
  readonly entity_id: string
  readonly mention_count: number
}

/** `sentiment.shift`: the sentiment towards an entity has changed. */
export interface ShiftPayload extends Detection, Pick<TrendDetected, 'name' | 'sentiment_before' | 'sentiment_after'> {
  readonly entity_id: string
  readonly mention_count: number
}

/** A story that matches a monitor. */
export interface MatchedStoryPayload extends Omit<MatchedStory, 'matched_at'> {
  /** ISO 8601. */
  readonly matched_at: string
}

/** `monitor.matched`: a story matches a monitor, once per story and version of the monitor's conditions. */
export interface MatchPayload extends Pick<StoryMatched, 'monitor_id' | 'monitor_name' | 'conditions_version'> {
  /** Whether the monitor's channels do not receive it now, but later with others as `monitor.digest`. */
  readonly held: boolean
  readonly story: MatchedStoryPayload
}

/** `monitor.digest`: the matches of a monitor that were held back during quiet hours or for its digest. */
export interface DigestPayload extends Pick<StoryMatched, 'monitor_id' | 'monitor_name'> {
  readonly stories: readonly MatchedStoryPayload[]
}

/** The `data` of each change type. The first field of each type is the change's `subject_id`. */
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
  readonly 'monitor.matched': MatchPayload
  readonly 'monitor.digest': DigestPayload
}

/** A change's type with its `data`: a union with one member per type. */
export type Change = {
  readonly [Type in ChangeType]: { readonly type: Type; readonly data: ChangeData[Type] }
}[ChangeType]
