import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** What happened to a cluster up to a moment, other than growing; oldest first. */
export const clusterHistory = query({
  name: 'clusters.history',
  sql: `
    SELECT action AS type, valid_from AS at, article_id
    FROM cluster_members FINAL
    WHERE namespace = {namespace: String} AND cluster_id = {cluster_id: String}
      AND valid_from <= {as_of: DateTime64(3, 'UTC')} AND action = 'opened'
    ORDER BY at, article_id`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ type: z.string(), at: z.string(), article_id: z.string() }),
})

/** At most one row: the decision that holds for an article as of a moment, if it put it into this cluster. */
export const decisionWhy = query({
  name: 'clusters.why',
  sql: `
    SELECT * EXCEPT (namespace, content_hash, occurred_at, dated, _log_at, _partition, _offset), _log_at AS decided_at
    FROM
    (
      SELECT * FROM cluster_decisions FINAL
      WHERE namespace = {namespace: String} AND article_id = {article_id: String}
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY _offset DESC
      LIMIT 1
    )
    WHERE cluster_id = {cluster_id: String}`,
  params: z.object({ cluster_id: z.string(), article_id: z.string(), as_of: moment }),
  row: z.object({
    cluster_id: z.string(),
    article_id: z.string(),
    event_id: z.string(),
    decided_at: z.string(),
    action: z.string(),
    chosen_cluster_id: z.string().nullable(),
    chosen_score: z.number().nullable(),
    chosen_features: z.record(z.string(), z.number()),
    runner_up_cluster_id: z.string().nullable(),
    runner_up_score: z.number().nullable(),
    runner_up_features: z.record(z.string(), z.number()),
    threshold: z.number(),
    versions: z.record(z.string(), z.string()),
  }),
})
