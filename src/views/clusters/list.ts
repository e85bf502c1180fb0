import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import { cursors } from '../cursor.ts'
import { clusterItem, PRIMARY_ENTITIES, type ClusterItem } from './item.ts'
import { clusterItems } from './items.ts'
import { BEFORE_ALL, filtersOf, Position, rankedPage, type ClusterListQuery } from './ranked-clusters.ts'
import { subjects, type SubjectItem } from './subjects.ts'

/** A story or a subject page as every list shows it. */
export type ListedItem = SubjectItem | (ClusterItem & { readonly kind: 'event' })

export interface ClusterList {
  readonly clusters: ListedItem[]
  /** Clusters on all pages. */
  readonly total: number
  readonly page: number
  readonly next_cursor: string | null
}

const positions = cursors('clusters', Position)

/** A page of clusters with news in the window, best first. Throws `InvalidCursor`. */
export async function clusterList(store: Store, params: ClusterListQuery, model: SummaryModel): Promise<ClusterList> {
  const { limit, cursor } = params
  const filters = filtersOf(params)
  const skipped = (params.page - 1) * limit
  const after = positions.begin(cursor, filters, { ...BEFORE_ALL, as_of: params.as_of, seen: skipped })
  const at = { ...params, as_of: after.as_of }

  const { rows, total } = await rankedPage(store, at, { after, limit, offset: cursor === undefined ? skipped : 0 })
  const last = rows.at(-1)
  const seen = after.seen + rows.length
  const next = last === undefined || seen >= total ? null : { ...last, as_of: after.as_of, seen }
  return {
    clusters: await listedItems(store, { ...at, ids: rows.map(({ id }) => id) }, model),
    total,
    page: Math.floor(after.seen / limit) + 1,
    next_cursor: next === null ? null : positions.write(next, filters),
  }
}

interface ListedItemsQuery extends Pick<ClusterListQuery, 'kind' | 'namespace' | 'as_of'> {
  readonly ids: string[]
}

/** Some stories or subject pages as of a moment, in the order of their ids. */
export async function listedItems(
  store: Store,
  { kind, namespace, as_of, ids }: ListedItemsQuery,
  { weigh }: SummaryModel,
): Promise<ListedItem[]> {
  if (ids.length === 0) return []
  if (kind === 'subject') return subjects(store, { namespace, as_of, ids }, weigh)
  const rows = await clusterItems(store)({ namespace, ids, as_of, max_entities: PRIMARY_ENTITIES })
  const items = new Map(rows.map((row) => [row.cluster_id, { ...clusterItem(row), kind }]))
  return ids.flatMap((id) => items.get(id) ?? [])
}
