import { changesPublished } from '../events/changes.ts'
import { documentsFetched, type DocumentFetched } from '../events/sources.ts'
import { discoursePolled, storiesEnriched } from '../events/discourse.ts'
import { storiesTransitioned } from '../events/lifecycle.ts'
import { storiesMatched } from '../events/monitors.ts'
import { correctionsRequested } from '../events/settings.ts'
import { trendsDetected } from '../events/trends.ts'
import { webhooksDelivered } from '../events/webhooks.ts'
import { on, type View } from '../runtime/shapes.ts'
import { instant, instantOrNull } from './instant.ts'
import { eachTo, NOBODY_POLLS_MS, pick, withLogPosition } from './rows.ts'

/** Connected subscribers get changes from the log; the rows serve subscribers that reconnect. */
const SOON_MS = 100

/** The change feed, readable from any position in the last 30 days. */
export const changes: View = {
  name: 'changes',
  maxWaitMs: SOON_MS,
  projections: [
    eachTo('changes', changesPublished, (event) => ({
      ...pick(event, 'namespace', 'event_id', 'type', 'subject_id', 'entity_ids', 'velocity', 'owner', 'data'),
      occurred_at: instant(event.occurred_at),
    })),
  ],
}

/** Corrections that curators requested. Their outcomes are in the view `clusters`. */
export const corrections: View = {
  name: 'corrections',
  asTheyCome: true,
  projections: [
    eachTo('corrections', correctionsRequested, (event) => ({
      ...pick(event, 'namespace', 'event_id', 'correction_id', 'action', 'cluster_id', 'other_cluster_id'),
      ...pick(event, 'article_ids', 'reason', 'key_id'),
      requested_at: instant(event.occurred_at),
    })),
  ],
}

/** The reception of each story on each platform, and the result of each poll of a platform. */
export const echo: View = {
  name: 'echo',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    eachTo('enrichments', storiesEnriched, (event) => ({
      ...pick(event, 'namespace', 'cluster_id', 'platform', 'event_id', 'story_title', 'thread_urls', 'source_status'),
      ...pick(event, 'comment_count_analyzed', 'sentiment_score', 'sentiment_label', 'controversy_score'),
      ...pick(event, 'dominant_themes', 'editorial_entities', 'public_entities', 'novel_entities'),
      ...pick(event, 'counter_narrative_detected', 'counter_narrative_summary', 'counter_narrative_confidence'),
      occurred_at: instant(event.occurred_at),
      fetched_at: instant(event.fetched_at),
      evidence_novel_entities: event.evidence.novel_entities,
      evidence_counter_narrative: event.evidence.counter_narrative,
      sample_posts: event.sample.posts,
      sample_authors: event.sample.authors,
      sample_window_start: instant(event.sample.window_start),
      sample_window_end: instant(event.sample.window_end),
    })),
    eachTo('polls', discoursePolled, (event) => ({
      ...pick(event, 'namespace', 'platform', 'event_id', 'cluster_id', 'outcome', 'detail', 'published'),
      ...pick(event, 'posts_read', 'posts_read_in_month'),
      polled_at: instant(event.polled_at),
    })),
  ],
}

/** The looks at watched feeds and at the pages that they list. Feeds themselves are settings and in no view. */
export const feeds: View = {
  name: 'feeds',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    eachTo('fetches', documentsFetched, (event) => ({
      ...pick(event, 'namespace', 'event_id', 'feed_id', 'document_id', 'host', 'url', 'attempt', 'failures'),
      ...pick(event, 'outcome', 'detail', 'status_code', 'duration_ms', 'bytes'),
      occurred_at: instant(event.occurred_at),
      next_fetch_at: instantOrNull(event.next_fetch_at),
      kind: event.feed === null ? 'page' : 'feed',
      ...feedColumns(event),
      text_source: event.page?.text_source ?? null,
      published: event.page?.published ?? 0,
    })),
  ],
}

/** The columns of a feed; those of a page are empty. */
function feedColumns({ feed }: DocumentFetched) {
  const { title, format, items, new_items, edited_items, interval_seconds, last_new_at } = feed ?? NO_FEED
  return {
    ...{ title, format, items, new_items, edited_items, interval_seconds },
    last_new_at: instantOrNull(last_new_at),
  }
}

const NO_FEED = {
  ...{ title: null, format: '', items: 0, new_items: 0, edited_items: 0 },
  ...{ interval_seconds: 0, last_new_at: null },
}

/**
 * The stories that matched each monitor, one row per event and story. Monitors are in no view: their channels are stored
 * only in the log, encrypted.
 */
export const monitors: View = {
  name: 'monitors',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(storiesMatched, (input) => {
      const { event } = input
      const rows = event.stories.map((story) => ({
        table: 'matches',
        row: {
          ...pick(event, 'namespace', 'monitor_id', 'event_id', 'type', 'conditions_version', 'notify'),
          ...pick(story, 'cluster_id', 'title', 'url', 'source', 'article_ids', 'article_count', 'origin_count'),
          ...pick(story, 'lifecycle_state', 'velocity', 'sentiment_score'),
          matched_at: instant(story.matched_at),
          occurred_at: instant(event.occurred_at),
        },
      }))
      return withLogPosition(input, rows)
    }),
  ],
}

/** The lifecycle transitions of each story. A client that requests an evaluation waits for its row. */
export const stories: View = {
  name: 'stories',
  projections: [
    eachTo('transitions', storiesTransitioned, (event) => ({
      ...pick(event, 'namespace', 'cluster_id', 'event_id', 'lifecycle_state', 'previous_state', 'rule', 'facts'),
      evaluated_at: instant(event.evaluated_at),
      decided_by: event.produced_by.stage,
    })),
  ],
}

/** When a story or entity crossed a trend threshold. */
export const trends: View = {
  name: 'trends',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    eachTo('detections', trendsDetected, (event) => ({
      ...pick(event, 'namespace', 'type', 'subject_id', 'event_id', 'name', 'category', 'velocity', 'baseline'),
      ...pick(event, 'window_hours', 'count', 'origins', 'p_value', 'sentiment_before', 'sentiment_after'),
      ...pick(event, 'low_support'),
      occurred_at: instant(event.occurred_at),
    })),
  ],
}

/**
 * The events of webhook deliveries. They are inserted immediately, because a caller that tests an endpoint waits for
 * the result. Endpoints are in no view: their secrets are stored only in the log, encrypted.
 */
export const webhooks: View = {
  name: 'webhooks',
  asTheyCome: true,
  projections: [
    eachTo('deliveries', webhooksDelivered, (event) => ({
      ...pick(event, 'namespace', 'webhook_id', 'delivery_id', 'event_id', 'change_id', 'type', 'attempt', 'outcome'),
      ...pick(event, 'status_code', 'error', 'duration_ms', 'payload'),
      occurred_at: instant(event.occurred_at),
      next_attempt_at: instantOrNull(event.next_attempt_at),
    })),
  ],
}
