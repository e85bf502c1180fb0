import { z } from 'zod'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import { concernedByIds, withOrigins } from '../clusters/as-of.ts'
import { NEWEST_RECORDS } from '../echo/queries.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** The last state of each story that was persisted up to a point in time. */
export const persistedStates = query({
  name: 'stories.persisted',
  sql: `
    SELECT cluster_id, argMax(lifecycle_state, (evaluated_at, _offset)) AS state
    FROM transitions FINAL
    PREWHERE cluster_id IN {ids: Array(String)}
    WHERE namespace = {namespace: String} AND evaluated_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY cluster_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({ cluster_id: z.string(), state: z.enum(LIFECYCLE_STATES) }),
})

/** The reception of each story on each platform as of a point in time. */
export const storyReceptions = query({
  name: 'stories.receptions',
  sql: `
    SELECT
      cluster_id, platform, controversy_score, counter_narrative_confidence, sample_posts AS posts,
      toUnixTimestamp64Milli(sample_window_end) AS newest_post, toUnixTimestamp64Milli(_log_at) AS updated
    FROM${NEWEST_RECORDS}`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({
    cluster_id: z.string(),
    platform: z.string(),
    controversy_score: z.number(),
    counter_narrative_confidence: z.number(),
    posts: z.number(),
    newest_post: z.number(),
    updated: z.number(),
  }),
})

/** The stories with a reception that was written since a point in time. */
export const storiesWithEcho = query({
  name: 'stories.with_echo',
  sql: `
    SELECT DISTINCT cluster_id FROM enrichments
    WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      AND _log_at >= {since: DateTime64(3, 'UTC')}
    LIMIT {limit: UInt32}`,
  params: z.object({ as_of: moment, since: moment, limit: z.int() }),
  row: z.object({ cluster_id: z.string() }),
})

/** One row once a transition of a story is visible. */
export const transitionInView = query({
  name: 'stories.transition_read',
  sql: `
    SELECT event_id FROM transitions
    WHERE namespace = {namespace: String} AND cluster_id = {cluster_id: String} AND event_id = {event_id: String}
    LIMIT 1`,
  params: z.object({ cluster_id: z.string(), event_id: z.string() }),
  row: z.object({ event_id: z.string() }),
})

/** The distinct entities of each story as of a point in time, without dates and amounts of money: ids and names. */
export const storyEntities = query({
  name: 'stories.entities',
  sql: `
    WITH ${concernedByIds()},
    ${withOrigins('entity_ids, entity_names, entity_types')},
    named AS (
      SELECT cluster_id, entity.1 AS id, entity.2 AS name
      FROM looked
      ARRAY JOIN arrayZip(entity_ids, entity_names, entity_types) AS entity
      WHERE own AND cluster_id IN {ids: Array(String)} AND entity.3 IN ('PERSON', 'ORG', 'GPE', 'LOC', 'EVENT')
    ),
    single AS (
      SELECT cluster_id, id, min(name) AS name FROM named GROUP BY cluster_id, id
    )
    SELECT cluster_id, groupArray((id, name)) AS entities
    FROM single
    GROUP BY cluster_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({ cluster_id: z.string(), entities: z.array(z.tuple([z.string(), z.string()])) }),
})

/** Log time of the newest fact about a namespace's stories, in milliseconds since 1970; 0 if there is none. */
export const newestFact = query({
  name: 'stories.newest_fact',
  sql: `
    SELECT greatest(
      (SELECT toUnixTimestamp64Milli(max(_log_at)) FROM members WHERE namespace = {namespace: String}),
      (SELECT toUnixTimestamp64Milli(max(_log_at)) FROM story_changes WHERE namespace = {namespace: String}),
      (SELECT toUnixTimestamp64Milli(max(_log_at)) FROM enrichments WHERE namespace = {namespace: String})
    ) AS newest`,
  params: z.object({}),
  row: z.object({ newest: z.number() }),
})
