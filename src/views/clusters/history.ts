import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { survivors, type StoryQuery } from './surviving-story.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** Maximum number of articles listed per change. */
const MAX_TITLES = 3

/**
 * The changes of a cluster up to a point in time, except assignments that only added an article; oldest first.
 * Corrections apply at every point in time, so they are always listed.
 */
export const clusterHistory = query({
  name: 'clusters.history',
  sql: `
    SELECT type, at, article_id, other_cluster_id, direction, articles, article_ids, correction_id FROM
    (
      SELECT
        action AS type, valid_from AS at, toNullable(article_id) AS article_id, CAST(NULL, 'Nullable(String)') AS other_cluster_id,
        CAST(NULL, 'Nullable(String)') AS direction, 1 AS articles, CAST([], 'Array(String)') AS article_ids, CAST(NULL, 'Nullable(String)') AS correction_id, _offset
      FROM placements FINAL
      WHERE namespace = {namespace: String} AND cluster_id = {cluster_id: String}
        AND valid_from <= {as_of: DateTime64(3, 'UTC')} AND action = 'opened'
      UNION ALL
      SELECT
        action AS type, occurred_at AS at, NULL AS article_id,
        if(cluster_id = {cluster_id: String}, from_cluster_id, toNullable(cluster_id)) AS other_cluster_id,
        multiIf(empty(story_changes.article_ids), NULL, cluster_id = {cluster_id: String}, 'in', 'out') AS direction,
        length(story_changes.article_ids) AS articles, arraySlice(story_changes.article_ids, 1, ${MAX_TITLES}) AS article_ids,
        correction_id, _offset
      FROM story_changes FINAL
      WHERE namespace = {namespace: String}
        AND (cluster_id = {cluster_id: String} OR from_cluster_id = {cluster_id: String})
        AND action != 'rebuilt' AND refused IS NULL
        AND (occurred_at <= {as_of: DateTime64(3, 'UTC')} OR action = 'corrected')
    )
    ORDER BY at, _offset`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({
    /** `opened`, `merged`, `split`, `moved` or `corrected`. */
    type: z.string(),
    at: z.string(),
    /** The article that opened the cluster. */
    article_id: z.string().nullable(),
    /** The cluster that articles came from or moved to. */
    other_cluster_id: z.string().nullable(),
    /** `in` if articles came into this cluster, `out` if they left it, otherwise `null`. */
    direction: z.string().nullable(),
    articles: z.number(),
    /** The first of the moved articles. */
    article_ids: z.array(z.string()),
    correction_id: z.string().nullable(),
  }),
})

/** The headlines of articles as of a point in time. */
const titlesOf = query({
  name: 'clusters.titles',
  sql: `
    SELECT article_id, argMax(title, (occurred_at, event_id)) AS title
    FROM members FINAL
    PREWHERE article_id IN {ids: Array(String)}
    WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY article_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({ article_id: z.string(), title: z.string().nullable() }),
})

/** The history of a story, with the titles of the first moved articles of each change. */
export async function namedHistory(store: Store, params: StoryQuery) {
  const changes = await clusterHistory(store)(params)
  const ids = [...new Set(changes.flatMap(({ article_ids }) => article_ids))]
  const rows = ids.length === 0 ? [] : await titlesOf(store)({ namespace: params.namespace, as_of: params.as_of, ids })
  const titles = new Map(rows.map(({ article_id, title }) => [article_id, title]))
  return changes.map(({ article_ids, ...event }) => ({
    ...event,
    moved: article_ids.map((article_id) => ({ article_id, title: titles.get(article_id) ?? null })),
  }))
}

/** The stories that were split off this story, oldest first. */
const splitOff = query({
  name: 'clusters.split_off',
  sql: `
    SELECT cluster_id
    FROM story_changes FINAL
    WHERE namespace = {namespace: String} AND from_cluster_id = {cluster_id: String}
      AND (action = 'split' OR (action = 'corrected' AND correction_action = 'split'))
      AND notEmpty(article_ids) AND refused IS NULL
      AND (occurred_at <= {as_of: DateTime64(3, 'UTC')} OR action = 'corrected')
    GROUP BY cluster_id
    ORDER BY min(_offset)
    LIMIT 100`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ cluster_id: z.string() }),
})

/** The ids of the stories that were split off this story and were not merged back, oldest first. */
export async function splitInto(store: Store, { namespace, cluster_id, as_of }: StoryQuery): Promise<string[]> {
  const rows = await splitOff(store)({ namespace, cluster_id, as_of })
  const ids = rows.map((row) => row.cluster_id)
  const current = await survivors(store, { namespace, as_of, ids })
  return ids.filter((id) => (current.get(id)?.cluster_id ?? cluster_id) !== cluster_id)
}
