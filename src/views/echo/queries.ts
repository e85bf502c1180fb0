import { z } from 'zod'
import { PLATFORMS } from '../../events/discourse.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** The fields of a story's reception that every response with a record shows. */
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
 * The newest record of each story and platform as of a point in time, unless it says that no posts remain. If the past
 * of a story changes, there are several records, each valid from its `occurred_at`.
 */
export const NEWEST_RECORDS = `
    (
      SELECT * FROM enrichments FINAL
      PREWHERE cluster_id IN {ids: Array(String)}
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1 BY cluster_id, platform
    )
    WHERE comment_count_analyzed > 0
    ORDER BY cluster_id, platform`

/** The reception of some stories on each platform as of a point in time. */
export const storyEnrichments = query({
  name: 'echo.stories',
  sql: `
    SELECT
      * EXCEPT (namespace, event_id, source_status, _log_at, _partition, _offset), _log_at AS updated_at,
      toUnixTimestamp64Milli(_log_at) AS updated, toUnixTimestamp64Milli(fetched_at) AS fetched,
      toUnixTimestamp64Milli(sample_window_end) AS newest_post
    FROM${NEWEST_RECORDS}`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({
    cluster_id: z.string(),
    platform: z.enum(PLATFORMS),
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
    /** Milliseconds since 1970: time of writing, of fetching, of the newest post. */
    updated: z.number(),
    fetched: z.number(),
    newest_post: z.number(),
  }),
})

export const ENTITY_SCOPES = ['editorial', 'public', 'novel', 'any'] as const

/**
 * CTEs as of a point in time and a log time. `held`: the log offset of the newest record of each story and platform.
 * `matching`: those of them that have posts and match the filters, with their ranks.
 */
const MATCHING = `
    held AS (
      SELECT cluster_id, platform, max(_offset) AS place
      FROM enrichments FINAL
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND _log_at <= {written_by: DateTime64(3, 'UTC')}
      GROUP BY cluster_id, platform
    ),
    matching AS (
      SELECT
        cluster_id, platform, event_id,
        toFloat64(toUnixTimestamp64Milli(_log_at)) AS updated,
        if({sort: String} = 'controversy', controversy_score, updated) AS rank,
        if({sort: String} = 'controversy', updated, 0.) AS second_rank
      FROM enrichments FINAL
      PREWHERE (cluster_id, platform, _offset) IN (SELECT cluster_id, platform, place FROM held)
      WHERE namespace = {namespace: String}
        AND comment_count_analyzed > 0
        AND controversy_score >= {min_controversy: Float64}
        AND ({any_platform: Bool} OR platform IN {platforms: Array(String)})
        AND ({counter_narrative: String} = '' OR toString(counter_narrative_detected) = {counter_narrative: String})
        AND ({topic: String} = ''
          OR arrayExists(theme -> positionCaseInsensitiveUTF8(theme, {topic: String}) > 0, dominant_themes))
        AND ({entity: String} = '' OR arrayExists(
          name -> positionCaseInsensitiveUTF8(name, {entity: String}) > 0,
          multiIf(
            {entity_scope: String} = 'editorial', editorial_entities,
            {entity_scope: String} = 'public', public_entities,
            {entity_scope: String} = 'novel', novel_entities,
            arrayConcat(editorial_entities, public_entities, novel_entities)
          )
        ))
    )`

/**
 * CTE `living`: the stories with a record that have articles as of the point in time. Starts from all stories with a
 * record instead of `matching`: ClickHouse evaluates a CTE at each use, and `matching` costs more than this.
 */
const LIVING = `
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String}
        AND cluster_id IN (SELECT cluster_id FROM enrichments WHERE namespace = {namespace: String})
    ),
    there AS (
      SELECT article_id FROM members
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM concerned)
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    living AS (
      SELECT argMax(cluster_id, _offset) AS cluster_id
      FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM there)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )`

/**
 * A page of records by their keys, best first: by descending controversy then newest first, or newest first; then by
 * story and platform. Records of stories without an article as of the point in time are omitted.
 */
export const echoPage = query({
  name: 'echo.page',
  sql: `
    WITH ${MATCHING},
    ${LIVING}
    SELECT cluster_id, platform, event_id, rank, second_rank
    FROM matching
    WHERE cluster_id IN (SELECT cluster_id FROM living)
      AND ((rank, second_rank) < ({after_rank: Float64}, {after_second_rank: Float64})
        OR ((rank, second_rank) = ({after_rank: Float64}, {after_second_rank: Float64})
          AND (cluster_id, platform) > ({after_id: String}, {after_platform: String})))
    ORDER BY rank DESC, second_rank DESC, cluster_id, platform
    LIMIT {limit: UInt32} OFFSET {offset: UInt32}`,
  params: z.object({
    as_of: moment,
    /** Records appended to the log later are ignored. */
    written_by: moment,
    sort: z.enum(['controversy', 'updated']),
    /** Part of a name, case-insensitive; empty for any. */
    entity: z.string(),
    entity_scope: z.enum(ENTITY_SCOPES),
    /** Part of a theme, case-insensitive; empty for any. */
    topic: z.string(),
    /** Empty for records with and without one. */
    counter_narrative: z.enum(['', 'true', 'false']),
    min_controversy: z.number(),
    any_platform: z.boolean(),
    platforms: z.array(z.string()),
    after_rank: z.number(),
    after_second_rank: z.number(),
    after_id: z.string(),
    after_platform: z.string(),
    limit: z.int(),
    offset: z.int(),
  }),
  row: z.object({
    cluster_id: z.string(),
    platform: z.string(),
    event_id: z.string(),
    rank: z.number(),
    second_rank: z.number(),
  }),
})

/** One row: the log time of the newest record in the view. */
export const lastWritten = query({
  name: 'echo.written',
  sql: `
    SELECT toUnixTimestamp64Milli(max(_log_at)) AS written_by
    FROM enrichments
    WHERE namespace = {namespace: String}`,
  params: z.object({}),
  row: z.object({ written_by: z.number() }),
})

/** The fields of records that a list shows, selected by key, unordered. */
export const echoRecords = query({
  name: 'echo.records',
  sql: `
    SELECT
      cluster_id AS story_id, story_title, platform, sentiment_score, sentiment_label, controversy_score, dominant_themes,
      editorial_entities, public_entities, novel_entities, counter_narrative_detected, counter_narrative_summary,
      counter_narrative_confidence, comment_count_analyzed, _log_at AS updated_at
    FROM enrichments FINAL
    PREWHERE cluster_id IN {ids: Array(String)} AND event_id IN {event_ids: Array(String)}
    WHERE namespace = {namespace: String}`,
  params: z.object({ ids: z.array(z.string()), event_ids: z.array(z.string()) }),
  row: z.object({
    story_id: z.string(),
    story_title: z.string(),
    platform: z.enum(PLATFORMS),
    ...RECEPTION,
    comment_count_analyzed: z.number(),
    updated_at: z.string(),
  }),
})
