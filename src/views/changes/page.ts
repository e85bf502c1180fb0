import { z } from 'zod'
import { SHARED } from '../../domain/intake/articles.ts'
import { CHANGE_TYPES, type ChangePublished, type ChangeType } from '../../events/changes.ts'
import { pinnedTo, type Store } from '../../ports/store.ts'
import { past, type Begin, type ChangePosition } from './position.ts'
import { moment } from '../instant.ts'
import { query, type RowOf } from '../query.ts'

/** Changes of a namespace after a log offset, in log order, that keys of an owner may read: see `isReadableBy`. */
export const changesAfter = query({
  name: 'changes.after',
  sequential: true,
  sql: `
    SELECT
      event_id AS id, type, occurred_at, owner, data, _offset AS place, _partition AS log_partition,
      toUnixTimestamp64Milli(_log_at) AS logged_at
    FROM changes FINAL
    WHERE namespace = {namespace: String} AND _offset > {after: Int64} AND _log_at >= {since: DateTime64(3, 'UTC')}
      AND has({types: Array(String)}, type) AND (namespace != '${SHARED}' OR owner IN ('', {owner: String}))
    ORDER BY _offset
    LIMIT {limit: UInt32}`,
  params: z.object({
    after: z.int(),
    since: moment,
    types: z.array(z.enum(CHANGE_TYPES)),
    owner: z.string(),
    limit: z.int(),
  }),
  row: z
    .object({
      /** The id of the event in the log: the same on every read. */
      id: z.string(),
      type: z.enum(CHANGE_TYPES),
      occurred_at: z.string(),
      /** The only owner of keys that may read it; empty for all. */
      owner: z.string(),
      /** JSON. */
      data: z.string(),
      place: z.number(),
      log_partition: z.number(),
      /** When the event was appended to the log, milliseconds since 1970. */
      logged_at: z.number(),
    })
    .transform(({ place, log_partition, ...row }) => ({ ...row, offset: place, partition: log_partition })),
})

/** The newest change of a namespace in the view, of any owner. */
export const newestChange = query({
  name: 'changes.newest',
  sequential: true,
  sql: `
    SELECT _offset AS place, _partition AS log_partition
    FROM changes
    WHERE namespace = {namespace: String}
    ORDER BY _offset DESC
    LIMIT 1`,
  params: z.object({}),
  row: z
    .object({ place: z.number(), log_partition: z.number() })
    .transform(({ place, log_partition }) => ({ offset: place, partition: log_partition })),
})

/** A change as subscribers receive it, with its offset and partition in the log. */
export type FeedChange = Readonly<RowOf<typeof changesAfter>>

/** Keys of an owner of a namespace. */
export interface ChangeReader {
  readonly namespace: string
  readonly owner: string
}

/** Whether keys of an owner may read a change. In a private namespace all keys may read everything. */
export const isReadableBy = ({ namespace, owner }: ChangeReader, change: Pick<ChangePublished, 'owner'>): boolean =>
  namespace !== SHARED || change.owner === '' || change.owner === owner

export interface ChangesPageQuery extends Begin, ChangeReader {
  readonly types: readonly ChangeType[]
  readonly limit: number
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface ChangesPage {
  readonly changes: readonly FeedChange[]
  readonly position: ChangePosition
  readonly has_more: boolean
}

/**
 * The changes in the view after a position. Rows are inserted in log order, each insert is acknowledged before the
 * next, both queries read one server, and they are `sequential`: a replica answers only if it has all acknowledged rows.
 * So no row before a returned row is missing, and the position can always advance past the last row. Gaps in offsets are normal:
 * transaction markers cause them.
 */
export async function changesPage(stores: Store, params: ChangesPageQuery): Promise<ChangesPage> {
  const store = pinnedTo(stores, { server: null })
  const { namespace, owner, position, since, isLater, types, limit, now } = params
  const isFiltered = namespace === SHARED || types.length < CHANGE_TYPES.length || isLater === true
  // Queried first: all rows before this one are then visible to the page query, so rows that the page omits have other
  // types or owners.
  const [newest] = isFiltered ? await newestChange(store)({ namespace }) : []
  const after = { namespace, owner, since, after: position.after, types: [...types], limit: limit + 1 }
  const found = await changesAfter(store)(after)
  const changes = found.slice(0, limit)
  const last = changes.at(-1)
  const behind = last === undefined ? position : past(position, last)
  if (found.length > limit) return { changes, position: behind, has_more: true }

  const end = newest === undefined ? behind : further(behind, newest)
  return { changes, position: { ...end, had: Math.max(end.had, now) }, has_more: false }
}

const further = (
  behind: ChangePosition,
  { offset, partition }: Pick<FeedChange, 'offset' | 'partition'>,
): ChangePosition => ({ had: behind.had, partition, after: Math.max(behind.after, offset) })
