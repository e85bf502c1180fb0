import { discoursePolled, storiesEnriched, type PlatformPolled, type StoryEnriched } from '../../events/discourse.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { NOBODY_POLLS_MS, pick, placed } from '../rows.ts'

/** How the public received each story, platform by platform, and how looking at the platforms went. */
export const echo: View = {
  name: 'echo',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(storiesEnriched, (input) => placed(input, [{ table: 'enrichments', row: enrichmentRow(input.event) }])),
    on(discoursePolled, (input) => placed(input, [{ table: 'polls', row: pollRow(input.event) }])),
  ],
}

const pollRow = (event: PlatformPolled): Row => ({
  ...pick(event, 'namespace', 'platform', 'event_id', 'cluster_id', 'outcome', 'detail', 'published'),
  ...pick(event, 'posts_read', 'posts_read_in_month'),
  polled_at: instant(event.polled_at),
})

const enrichmentRow = (event: StoryEnriched): Row => ({
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
})
