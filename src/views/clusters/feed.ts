import { z } from 'zod'
import { CLUSTER_CHANGE_TYPES } from '../../events/ledger-change.ts'
import type { Store } from '../../ports/store.ts'
import { cursorFields, cursors } from '../cursor.ts'
import { moment, NOW_AND_LATER } from '../instant.ts'
import { query } from '../query.ts'

/** Changes of the stories of a namespace after a log offset, in log order. */
const feedAfter = query({
  name: 'clusters.feed',
  sequential: true,
  sql: `
    SELECT
      event_id AS id, concat('cluster.', type) AS type, occurred_at, cluster_id, from_cluster_id, article_ids, correction_id,
      correction_action, _offset AS place
    FROM cluster_feed FINAL
    WHERE namespace = {namespace: String} AND _offset > {after: Int64} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ORDER BY _offset
    LIMIT {limit: UInt32}`,
  params: z.object({ after: z.int(), as_of: moment, limit: z.int() }),
  row: z.object({
    id: z.string(),
    type: z.enum(CLUSTER_CHANGE_TYPES),
    cluster_id: z.string(),
    from_cluster_id: z.string().nullable(),
    article_ids: z.array(z.string()),
    occurred_at: z.string(),
    correction_id: z.string().nullable(),
    correction_action: z.string().nullable(),
    place: z.number(),
  }),
})

interface ClusterChangesQuery {
  readonly namespace: string
  /** Milliseconds since 1970; `null` for no limit. */
  readonly as_of: number | null
  readonly cursor: string | undefined
  readonly limit: number
}

/** The end of a page: a log offset. */
const positions = cursors('cluster changes', z.object({ after: cursorFields.offset }))
const BEFORE_ALL = { after: -1 }

/**
 * Changes of stories in log order, from the end of the previous page. `next_cursor` continues from here, now or at any
 * later time. Throws `InvalidCursor`.
 */
export async function clusterChanges(store: Store, params: ClusterChangesQuery) {
  const { namespace, as_of, limit } = params
  const filters = [namespace, as_of]
  const { after } = positions.begin(params.cursor, filters, BEFORE_ALL)
  const found = await feedAfter(store)({ namespace, after, as_of: as_of ?? NOW_AND_LATER, limit: limit + 1 })
  const rows = found.slice(0, limit)
  return {
    changes: rows.map(({ id, type, occurred_at, ...row }) => {
      const { cluster_id, from_cluster_id, article_ids, correction_id, correction_action } = row
      const data = { cluster_id, from_cluster_id, article_ids, correction_id, correction_action }
      return { id, type, occurred_at, data }
    }),
    next_cursor: positions.write({ after: rows.at(-1)?.place ?? after }, filters),
    has_more: found.length > limit,
  }
}
