import type { ArticleScored } from '../../events/articles.ts'
import {
  NO_FILTER_FACTS,
  type Change,
  type ArticlePayload,
  type MatchedStoryPayload,
  type ReceptionPayload,
  type TransitionPayload,
  type ChangePublished,
} from '../../events/changes.ts'
import type { StoryEnriched } from '../../events/discourse.ts'
import { derivedEnvelope, type DatedCause } from '../../state/derived-envelope.ts'
import { STAGES } from '../../events/stages.ts'
import { EARLIEST_MOMENT, LATEST_MOMENT } from '../../domain/intake/articles.ts'
import type { LedgerChange } from '../../events/ledger-change.ts'
import type { StoryTransitioned } from '../../events/lifecycle.ts'
import type { TrendDetected } from '../../events/trends.ts'
import type { MatchedStory, StoryMatched } from '../../events/monitors.ts'
import type { ChangeFacts } from './facts.ts'

/** A change of the feed, and what filters compare. */
export interface NewChange extends Partial<Pick<ChangePublished, 'owner' | 'monitor_id'>> {
  readonly change: Change
  readonly subject_id: string
  readonly facts: ChangeFacts
}

/** A record of the feed. Its id is derived from its content, so a repeat has the same id. */
export function changeOf(
  cause: DatedCause,
  { change: { type, data }, facts, ...about }: NewChange,
  idFrom?: string,
): ChangePublished {
  return {
    ...derivedEnvelope(STAGES.changed, cause, idFrom),
    ...NO_FILTER_FACTS,
    type,
    ...facts,
    ...about,
    data: JSON.stringify(data),
  }
}

const MAX_TITLE_CHARACTERS = 300

const HALF_A_CHARACTER = /[\ud800-\udbff]$/

/** A title for filters. */
export const boundedTitle = (title: string | null): string | null =>
  title === null ? null : title.slice(0, MAX_TITLE_CHARACTERS).replace(HALF_A_CHARACTER, '')

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

/** The story change of a ledger record, with the independent sources of its story. */
export const storyChange = (
  { type, data }: LedgerChange,
  { origin_count }: Pick<ChangeFacts, 'origin_count'>,
): Change => ({ type, data: { ...data, origin_count } })

export const transitionData = (
  event: StoryTransitioned,
  { origin_count }: Pick<ChangeFacts, 'origin_count'>,
): TransitionPayload => ({
  cluster_id: event.cluster_id,
  lifecycle_state: event.lifecycle_state,
  previous_state: event.previous_state,
  rule: event.rule,
  facts: event.facts,
  origin_count,
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

/** `null` for a match without a story. */
export function matchChange({ type, stories, ...event }: StoryMatched): Change | null {
  const { monitor_id, monitor_name, conditions_version, notify } = event
  if (type === 'monitor.digest') return { type, data: { monitor_id, monitor_name, stories: stories.map(matchedStory) } }
  const [story] = stories
  if (story === undefined) return null
  return { type, data: { monitor_id, monitor_name, conditions_version, held: !notify, story: matchedStory(story) } }
}

const matchedStory = (story: MatchedStory): MatchedStoryPayload => ({
  cluster_id: story.cluster_id,
  title: story.title,
  url: story.url,
  source: story.source,
  article_ids: story.article_ids,
  article_count: story.article_count,
  origin_count: story.origin_count,
  lifecycle_state: story.lifecycle_state,
  velocity: story.velocity,
  sentiment_score: story.sentiment_score,
  matched_at: instant(story.matched_at),
})

/**
 * ISO 8601, UTC, with milliseconds. Clamped to the store's range, since ClickHouse would return a different date
 * outside it.
 */
const instant = (ms: number): string => new Date(Math.min(Math.max(ms, EARLIEST_MOMENT), LATEST_MOMENT)).toISOString()
