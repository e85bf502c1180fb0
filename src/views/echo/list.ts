import { z } from 'zod'
import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import type { Store } from '../../ports/store.ts'
import { PRIMARY_ENTITIES, titleOf } from '../clusters/item.ts'
import { clusterItems } from '../clusters/items.ts'
import { cursorFields, cursors, type ListQuery } from '../cursor.ts'
import { evaluated } from '../stories/evaluated-stories.ts'
import { echoPage, echoRecords, lastWritten } from './queries.ts'
import type { RowOf } from '../query.ts'

/** Query parameters that are taken from the request unchanged. */
type PlainParams = Pick<Parameters<ReturnType<typeof echoPage>>[0], 'sort' | 'entity_scope' | 'min_controversy'>

interface EchoListQuery extends ListQuery, Readonly<PlainParams> {
  /** Part of an entity's name, case-insensitive; `null` for any. */
  readonly entity: string | null
  /** Part of a theme, case-insensitive; `null` for any. */
  readonly topic: string | null
  /** `null` for records with and without a counter-narrative. */
  readonly counter_narrative: boolean | null
  /** `null` for all; unknown names match no record. */
  readonly platforms: readonly string[] | null
  /** Ignored if there is a cursor. */
  readonly offset: number
  readonly numbers: LifecycleNumbers
}

/** The end of a page. It carries `as_of` and the log time, so that all pages show the same state. */
const EchoPosition = z.object({
  as_of: cursorFields.moment,
  written_by: cursorFields.moment,
  rank: z.number(),
  second_rank: z.number(),
  id: z.string(),
  platform: z.string(),
})
type EchoPosition = z.output<typeof EchoPosition>

const positions = cursors('echo', EchoPosition)
const BEFORE_ALL = { rank: Number.MAX_VALUE, second_rank: 0, id: '', platform: '' }

/** A page of records, each with the current form of its story. Throws `InvalidCursor`. */
export async function echoList(store: Store, params: EchoListQuery) {
  const { namespace, limit, cursor, as_of } = params
  const filters = filtersOf(params)
  const start = { ...BEFORE_ALL, as_of, written_by: cursor === undefined ? await writtenBy(store, namespace) : 0 }
  const after = positions.begin(cursor, filters, start)

  const found = await pageAfter(store, params, after)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const next = found.length > limit && last !== undefined ? { ...after, ...last, id: last.cluster_id } : null
  return {
    results: await rowsOf(store, { ...params, as_of: after.as_of }, rows),
    next_cursor: next === null ? null : positions.write(EchoPosition.parse(next), filters),
  }
}

const writtenBy = async (store: Store, namespace: string): Promise<number> =>
  (await lastWritten(store)({ namespace }))[0]?.written_by ?? 0

/** The parameters that must not change between pages: all but `limit`. */
const filtersOf = ({ as_of_given, as_of, ...params }: EchoListQuery) => [
  params.namespace,
  params.sort,
  params.entity,
  params.entity_scope,
  params.topic,
  params.counter_narrative,
  params.min_controversy,
  params.platforms,
  as_of_given ? as_of : null,
]

/** Reads one row more than the page holds, to know whether there is a next page. */
const pageAfter = (store: Store, { cursor, ...params }: EchoListQuery, after: EchoPosition) =>
  echoPage(store)({
    ...params,
    as_of: after.as_of,
    written_by: after.written_by,
    entity: params.entity ?? '',
    topic: params.topic ?? '',
    counter_narrative: params.counter_narrative === null ? '' : params.counter_narrative ? 'true' : 'false',
    any_platform: params.platforms === null,
    platforms: [...(params.platforms ?? [])],
    after_rank: after.rank,
    after_second_rank: after.second_rank,
    after_id: after.id,
    after_platform: after.platform,
    limit: params.limit + 1,
    offset: cursor === undefined ? params.offset : 0,
  })

/** How one platform received one story, and how that story stands, by the keys of records. */
async function rowsOf(
  store: Store,
  { namespace, as_of, numbers }: EchoListQuery,
  keys: readonly RowOf<typeof echoPage>[],
) {
  if (keys.length === 0) return []
  const ids = [...new Set(keys.map(({ cluster_id }) => cluster_id))]
  const [records, stories, items] = await Promise.all([
    echoRecords(store)({ namespace, ids, event_ids: keys.map(({ event_id }) => event_id) }),
    evaluated(store, { namespace, as_of, ids, numbers }),
    clusterItems(store)({ namespace, as_of, ids, max_entities: PRIMARY_ENTITIES }),
  ])
  const titles = new Map(items.map((item) => [item.cluster_id, titleOf(item)]))
  const byKey = new Map(records.map((record) => [`${record.story_id} ${record.platform}`, record]))
  return keys.flatMap(({ cluster_id, platform }) => {
    const [record, story] = [byKey.get(`${cluster_id} ${platform}`), stories.get(cluster_id)]
    if (record === undefined || story === undefined) return []
    const { article_velocity, state: lifecycle_state } = story
    return [{ ...record, story_title: titles.get(cluster_id) ?? record.story_title, article_velocity, lifecycle_state }]
  })
}
