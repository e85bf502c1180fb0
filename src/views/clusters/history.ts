import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { survivors, type StoryAsked } from './alias.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * What happened to a cluster up to a moment, other than growing; oldest first. Corrections hold at every moment, so they
 * are told at every moment.
 */
export const clusterHistory = query({
  name: 'clusters.history',
  sql: `
    SELECT type, at, article_id, other_cluster_id, direction, articles, correction_id FROM
    (
      SELECT
        action AS type, valid_from AS at, toNullable(article_id) AS article_id, CAST(NULL, 'Nullable(String)') AS other_cluster_id,
        CAST(NULL, 'Nullable(String)') AS direction, 1 AS articles, CAST(NULL, 'Nullable(String)') AS correction_id, _offset
      FROM placements FINAL
      WHERE namespace = {namespace: String} AND cluster_id = {cluster_id: String}
        AND valid_from <= {as_of: DateTime64(3, 'UTC')} AND action = 'opened'
      UNION ALL
      SELECT
        action AS type, occurred_at AS at, NULL AS article_id,
        if(cluster_id = {cluster_id: String}, from_cluster_id, toNullable(cluster_id)) AS other_cluster_id,
        multiIf(empty(article_ids), NULL, cluster_id = {cluster_id: String}, 'in', 'out') AS direction,
        length(article_ids) AS articles, correction_id, _offset
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
    /** The article that opened it. */
    article_id: z.string().nullable(),
    /** Where articles came from or went to. */
    other_cluster_id: z.string().nullable(),
    /** `in`: articles came into this story; `out`: they left it; null: none did either. */
    direction: z.string().nullable(),
    articles: z.number(),
    correction_id: z.string().nullable(),
  }),
})

/** The stories that were split off this one, oldest first. */
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

/** The ids of the stories that were split off this one and did not come back to it, oldest first. */
export async function splitInto(store: Store, { namespace, cluster_id, as_of }: StoryAsked): Promise<string[]> {
  const rows = await splitOff(store)({ namespace, cluster_id, as_of })
  const ids = rows.map((row) => row.cluster_id)
  const stand = await survivors(store, { namespace, as_of, ids })
  return ids.filter((id) => (stand.get(id)?.cluster_id ?? cluster_id) !== cluster_id)
}
