import type { ArticleScored } from '../../events/articles.ts'
import {
  NO_FILTER_FACTS,
  type Change,
  type ArticlePayload,
  type ReceptionPayload,
  type TransitionPayload,
  type ChangePublished,
} from '../../events/changes.ts'
import type { StoryEnriched } from '../../events/discourse.ts'
import { derivedEnvelope, type DatedCause } from '../../state/derived-envelope.ts'
import { STAGES } from '../../events/stages.ts'
import { EARLIEST_MOMENT, LATEST_MOMENT } from '../../domain/intake/articles.ts'
import type { StoryTransitioned } from '../../events/lifecycle.ts'
import type { TrendDetected } from '../../events/trends.ts'
import type { Certainty } from './moves.ts'

/** A change of the feed, and the entities it concerns. */
export interface NewChange extends Pick<ChangePublished, 'subject_id' | 'entity_ids' | 'velocity'> {
  readonly change: Change
  readonly certainty: Certainty
}

/** A record of the feed. Its id is derived from its content, so a repeat has the same id. */
export function changeOf(
  cause: DatedCause,
  { change: { type, data }, subject_id, entity_ids, velocity, certainty }: NewChange,
  about?: string,
): ChangePublished {
  return {
    ...derivedEnvelope(STAGES.changed, cause, about),
    type,
    subject_id,
    entity_ids,
    velocity,
    ...certainty,
    ...NO_FILTER_FACTS,
    data: JSON.stringify(data),
  }
}

export const articleData = (event: ArticleScored): ArticlePayload => ({
  article_id: event.article_id,
  title: event.title,
  url: event.url,
  source: event.source,
  published_date: event.published_date === null ? null : instant(event.published_date),
  language: event.language,
  quality_score: event.quality_score,
  forwarded: event.forwarded,
  gate_reason: event.gate_reason,
  semantic_hash: event.semantic_hash,
})

export const transitionData = (event: StoryTransitioned): TransitionPayload => ({
  cluster_id: event.cluster_id,
  lifecycle_state: event.lifecycle_state,
  previous_state: event.previous_state,
  rule: event.rule,
  facts: event.facts,
  evaluated_at: instant(event.evaluated_at),
})

export const receptionData = (event: StoryEnriched): ReceptionPayload => ({
  cluster_id: event.cluster_id,
  platform: event.platform,
  sentiment_score: event.sentiment_score,
  sentiment_label: event.sentiment_label,
  controversy_score: event.controversy_score,
  counter_narrative_detected: event.counter_narrative_detected,
  counter_narrative_confidence: event.counter_narrative_confidence,
  comment_count_analyzed: event.comment_count_analyzed,
  dominant_themes: event.dominant_themes,
  novel_entities: event.novel_entities,
})

export function detectionChange(event: TrendDetected): Change {
  const { type, subject_id, name, velocity, baseline, window_hours, count, origins, low_support } = event
  const rise = { velocity, baseline, window_hours }
  switch (type) {
    case 'trend.detected': {
      const story = { cluster_id: subject_id, title: name, category: event.category }
      return { type, data: { ...story, ...rise, article_count: count, origins, low_support } }
    }
    case 'entity.spike': {
      const support = { mention_count: count, origins, p_value: event.p_value, low_support }
      return { type, data: { entity_id: subject_id, name, ...rise, ...support } }
    }
    case 'sentiment.shift': {
      const tone = { sentiment_before: event.sentiment_before, sentiment_after: event.sentiment_after }
      const support = { window_hours, mention_count: count, velocity, origins, low_support }
      return { type, data: { entity_id: subject_id, name, ...tone, ...support } }
    }
  }
}

/**
 * ISO 8601, UTC, with milliseconds. Clamped to the store's range, since ClickHouse would return a different date
 * outside it.
 */
const instant = (ms: number): string => new Date(Math.min(Math.max(ms, EARLIEST_MOMENT), LATEST_MOMENT)).toISOString()
