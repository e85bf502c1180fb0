import { discoursePolled, storiesEnriched } from '../../events/discourse.ts'
import type { PlatformPolled, StoryEnriched } from '../../events/discourse.ts'
import type { Row } from '../../ports/store.ts'
import { on } from '../../runtime/shapes.ts'
import type { View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { placeOf } from '../place.ts'
import { NOBODY_POLLS_MS } from '../wait.ts'

/** How the public received each story, platform by platform, and how looking at the platforms went. */
export const echo: View = {
  name: 'echo',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(storiesEnriched, (input) => [
      { table: 'enrichments', row: { ...enrichmentRow(input.event), ...placeOf(input) } },
    ]),
    on(discoursePolled, (input) => [{ table: 'polls', row: { ...pollRow(input.event), ...placeOf(input) } }]),
  ],
}

const pollRow = (event: PlatformPolled): Row => ({
  namespace: event.namespace,
  platform: event.platform,
  event_id: event.event_id,
  cluster_id: event.cluster_id,
  polled_at: instant(event.polled_at),
  outcome: event.outcome,
  detail: event.detail,
  published: event.published,
  posts_read: event.posts_read,
  posts_read_in_month: event.posts_read_in_month,
})

const enrichmentRow = (event: StoryEnriched): Row => ({
  namespace: event.namespace,
  cluster_id: event.cluster_id,
  platform: event.platform,
  event_id: event.event_id,
  occurred_at: instant(event.occurred_at),
  story_title: event.story_title,
  thread_urls: event.thread_urls,
  fetched_at: instant(event.fetched_at),
  comment_count_analyzed: event.comment_count_analyzed,
  sentiment_score: event.sentiment_score,
  sentiment_label: event.sentiment_label,
  controversy_score: event.controversy_score,
  dominant_themes: event.dominant_themes,
  editorial_entities: event.editorial_entities,
  public_entities: event.public_entities,
  novel_entities: event.novel_entities,
  counter_narrative_detected: event.counter_narrative_detected,
  counter_narrative_summary: event.counter_narrative_summary,
  counter_narrative_confidence: event.counter_narrative_confidence,
  evidence_novel_entities: event.evidence.novel_entities,
  evidence_counter_narrative: event.evidence.counter_narrative,
  sample_posts: event.sample.posts,
  sample_authors: event.sample.authors,
  sample_window_start: instant(event.sample.window_start),
  sample_window_end: instant(event.sample.window_end),
  source_status: event.source_status,
})
