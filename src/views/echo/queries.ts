import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** What a record says of a reception, wherever it is shown. */
export const RECEPTION = {
  sentiment_score: z.number(),
  sentiment_label: z.enum(['positive', 'neutral', 'negative']),
  controversy_score: z.number(),
  dominant_themes: z.array(z.string()),
  editorial_entities: z.array(z.string()),
  public_entities: z.array(z.string()),
  novel_entities: z.array(z.string()),
  counter_narrative_detected: z.boolean(),
  counter_narrative_summary: z.string().nullable(),
  counter_narrative_confidence: z.number(),
}

/**
 * How each platform received some stories as of a moment: the newest record of each, unless that says no post is left.
 * Of a change of the past there are several records, each from its `occurred_at` on.
 */
export const storyEnrichments = query({
  name: 'echo.stories',
  sql: `
    SELECT
      * EXCEPT (namespace, event_id, source_status, _log_at, _partition, _offset), _log_at AS updated_at,
      toUnixTimestamp64Milli(_log_at) AS updated, toUnixTimestamp64Milli(fetched_at) AS fetched,
      toUnixTimestamp64Milli(sample_window_end) AS newest_post
    FROM
    (
      SELECT * FROM enrichments FINAL
      PREWHERE cluster_id IN {ids: Array(String)}
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY cluster_id, platform
    )
    WHERE comment_count_analyzed > 0
    ORDER BY cluster_id, platform`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({
    cluster_id: z.string(),
    platform: z.enum(['reddit', 'bluesky', 'twitter']),
    story_title: z.string(),
    thread_urls: z.array(z.string()),
    fetched_at: z.string(),
    updated_at: z.string(),
    comment_count_analyzed: z.number(),
    ...RECEPTION,
    evidence_novel_entities: z.record(z.string(), z.array(z.string())),
    evidence_counter_narrative: z.array(z.string()),
    sample_posts: z.number(),
    sample_authors: z.number(),
    sample_window_start: z.string(),
    sample_window_end: z.string(),
    /** Milliseconds since 1970: written, fetched, newest post. */
    updated: z.number(),
    fetched: z.number(),
    newest_post: z.number(),
  }),
})
