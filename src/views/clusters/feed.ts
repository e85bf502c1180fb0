import { z } from 'zod'
import { CLUSTER_CHANGE_TYPES, type ClusterChangeType } from '../../events/ledger-change.ts'
import type { Store } from '../../ports/store.ts'
import { cursorFields, cursors } from '../cursor.ts'
import { moment, NOW_AND_LATER } from '../instant.ts'
import { query, type RowOf } from '../query.ts'

/** What happened to the stories of a namespace after a place in the log, in the order of the log. */
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

export interface ClusterChangesQuery {
  readonly namespace: string
  /** Milliseconds since 1970; null: whatever the log has. */
  readonly as_of: number | null
  readonly cursor: string | undefined
  readonly limit: number
}

type FeedRow = RowOf<typeof feedAfter>

interface ClusterChange {
  /** Of the event in the log: the same each time it is read. */
  readonly id: string
  readonly type: ClusterChangeType
  readonly occurred_at: string
  readonly data: Omit<FeedRow, 'id' | 'type' | 'occurred_at' | 'place'>
}

export interface ClusterChanges {
  readonly changes: ClusterChange[]
  /** Where to go on, now or at any time later. */
  readonly next_cursor: string
  readonly has_more: boolean
}

/** Where a page ended: a place in the log. */
const positions = cursors('cluster changes', z.object({ after: cursorFields.offset }))
const BEFORE_ALL = { after: -1 }

/** What happened to stories, in the order of the log, from where the page before ended. Throws `InvalidCursor`. */
export async function clusterChanges(store: Store, params: ClusterChangesQuery): Promise<ClusterChanges> {
  const { namespace, as_of, limit } = params
  const filters = [namespace, as_of]
  const { after } = positions.begin(params.cursor, filters, BEFORE_ALL)
  const found = await feedAfter(store)({ namespace, after, as_of: as_of ?? NOW_AND_LATER, limit: limit + 1 })
  const rows = found.slice(0, limit)
  return {
    changes: rows.map(changeOf),
    next_cursor: positions.write({ after: rows.at(-1)?.place ?? after }, filters),
    has_more: found.length > limit,
  }
}

const changeOf = ({ id, type, occurred_at, ...row }: FeedRow): ClusterChange => {
  const { cluster_id, from_cluster_id, article_ids, correction_id, correction_action } = row
  return { id, type, occurred_at, data: { cluster_id, from_cluster_id, article_ids, correction_id, correction_action } }
}
