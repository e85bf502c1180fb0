import type { SentimentLabel } from './articles.ts'
import type { ChangeType } from './changes.ts'
import type { Platform } from './discourse.ts'
import type { LifecycleState } from './lifecycle.ts'

/** `article.scored`: an article came; `article.revised`: with another text or title than before. */
export interface ArticlePayload {
  readonly article_id: string
  readonly title: string | null
  readonly url: string | null
  readonly source: string | null
  /** ISO 8601. */
  readonly published_date: string | null
  /** ISO 639-1, or `und`. */
  readonly language: string
  /** 0 to 1. */
  readonly quality_score: number
  /** Whether it goes on to Layer 1, and why. */
  readonly forwarded: boolean
  readonly gate_reason: string
  readonly semantic_hash: string
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
export interface TransitionPayload {
  readonly cluster_id: string
  readonly lifecycle_state: LifecycleState
  /** Null: its first state. */
  readonly previous_state: LifecycleState | null
  readonly rule: string
  /** The values the rule fired on; ages in hours. */
  readonly facts: Readonly<Record<string, number>>
  /** ISO 8601: the moment it was evaluated for. */
  readonly evaluated_at: string
}

/** `story.enriched`: how a platform receives a story now. */
export interface ReceptionPayload {
  readonly cluster_id: string
  readonly platform: Platform
  /** -1 to +1. */
  readonly sentiment_score: number
  readonly sentiment_label: SentimentLabel
  /** 0 to 1. */
  readonly controversy_score: number
  readonly counter_narrative_detected: boolean
  /** 0 to 1. */
  readonly counter_narrative_confidence: number
  /** 0: no post is left. */
  readonly comment_count_analyzed: number
  readonly dominant_themes: readonly string[]
  readonly novel_entities: readonly string[]
}

/** `trend.detected`: a story grows fast. */
export interface TrendPayload {
  readonly cluster_id: string
  readonly title: string
  readonly category: string | null
  /** Multiple of the baseline. */
  readonly velocity: number
  /** Articles per window, before it. */
  readonly baseline: number
  readonly window_hours: number
  readonly article_count: number
  /** Independent accounts among them. */
  readonly origins: number
  /** True under 3 origins or 3 days of history. */
  readonly low_support: boolean
}

/** `entity.spike`: an entity is named far more than usual. */
export interface SpikePayload {
  readonly entity_id: string
  readonly name: string
  /** Multiple of the baseline. */
  readonly velocity: number
  /** Mentions per window, before it. */
  readonly baseline: number
  readonly window_hours: number
  readonly mention_count: number
  /** Independent accounts that name it. */
  readonly origins: number
  /** The probability of as much by chance. */
  readonly p_value: number | null
  /** True under 3 origins or 3 days of history. */
  readonly low_support: boolean
}

/** `sentiment.shift`: the tone towards an entity changes. */
export interface ShiftPayload {
  readonly entity_id: string
  readonly name: string
  /** -1 to +1, means of the window before the last, and of the last. */
  readonly sentiment_before: number | null
  readonly sentiment_after: number | null
  readonly window_hours: number
  readonly mention_count: number
  /** Mentions: multiple of the baseline. */
  readonly velocity: number
  /** Independent accounts, the fewer of both windows. */
  readonly origins: number
  /** True under 3 origins or 3 days of history. */
  readonly low_support: boolean
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
