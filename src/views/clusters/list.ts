import { z } from 'zod'
import type { Weigh } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import { cursorFields, cursors } from '../cursor.ts'
import { clusterItem, PRIMARY_ENTITIES, type ClusterItem } from './item.ts'
import { clusterItems } from './items.ts'
import { clusterPage, subjectPage } from './queries.ts'
import { subjects, type SubjectItem } from './subjects.ts'

export interface ClustersWanted {
  /** Stories, or subject pages beside them. */
  readonly kind: 'event' | 'subject'
  readonly namespace: string
  /** Milliseconds since 1970; the window ends there. */
  readonly as_of: number
  /** False: it is the moment of asking. */
  readonly as_of_given: boolean
  readonly window_ms: number
  /** Words that stand in the titles or entity names; null: any cluster. */
  readonly topic: string | null
  readonly min_sources: number
  readonly min_articles: number
  /** Of a story's least certain member, 0 to 1. */
  readonly min_assignment_confidence: number
  /** Undefined: settled or not. */
  readonly membership?: 'settled' | undefined
  readonly sort: 'relevance' | 'recency' | 'coverage'
  readonly limit: number
  /** From 1; left out of account when there is a cursor. */
  readonly page: number
  readonly cursor: string | undefined
}

export interface ClusterList {
  readonly clusters: (SubjectItem | (ClusterItem & { readonly kind: 'event' }))[]
  /** Clusters on all pages. */
  readonly total: number
  readonly page: number
  readonly next_cursor: string | null
}

/** Where a page ended. `as_of` travels along, so that all pages are of one moment. */
const Position = z.object({
  as_of: cursorFields.moment,
  rank: z.number(),
  second_rank: z.number(),
  id: z.string(),
  /** Clusters up to and with this one. */
  seen: cursorFields.count,
})
type Position = z.output<typeof Position>

const positions = cursors('clusters', Position)
const BEFORE_ALL = { rank: Number.MAX_VALUE, second_rank: 0, id: '' }

/** A page of clusters with news in the window, best first. Throws `InvalidCursor`. */
export async function clusterList(store: Store, wanted: ClustersWanted, weigh: Weigh): Promise<ClusterList> {
  const { namespace, limit, cursor } = wanted
  const filters = filtersOf(wanted)
  const skipped = (wanted.page - 1) * limit
  const after = positions.begin(cursor, filters, { ...BEFORE_ALL, as_of: wanted.as_of, seen: skipped })
  const ask = pageAsker(store, wanted, after.as_of)

  const rows = await ask({ after, limit, offset: cursor === undefined ? skipped : 0 })
  const total = totalOf(rows) ?? totalOf(await ask({ after: BEFORE_ALL, limit: 1, offset: 0 })) ?? 0
  const last = rows.at(-1)
  const seen = after.seen + rows.length
  const next = last === undefined || seen >= total ? null : { ...last, id: last.cluster_id, as_of: after.as_of, seen }
  const listed = { namespace, as_of: after.as_of, ids: rows.map(({ cluster_id }) => cluster_id) }
  return {
    clusters: wanted.kind === 'subject' ? await subjects(store, listed, weigh) : await itemsOf(store, listed),
    total,
    page: Math.floor(after.seen / limit) + 1,
    next_cursor: next === null ? null : positions.write(Position.parse(next), filters),
  }
}

const totalOf = (rows: readonly { readonly total: number }[]): number | undefined => rows[0]?.total

/** A cursor goes on with the question it came from; only `limit` may change on the way. */
const filtersOf = ({ as_of_given, as_of, ...wanted }: ClustersWanted) => [
  ...[wanted.namespace, wanted.window_ms, wanted.topic, wanted.min_sources, wanted.min_articles, wanted.sort],
  as_of_given ? as_of : null,
  ...certaintyOf(wanted),
  ...(wanted.kind === 'event' ? [] : [wanted.kind]),
]

/** Nothing of a question without them: cursors of before they came go on. */
export const certaintyOf = ({
  min_assignment_confidence,
  membership,
}: Pick<ClustersWanted, 'min_assignment_confidence' | 'membership'>) =>
  min_assignment_confidence === 0 && membership === undefined ? [] : [min_assignment_confidence, membership ?? null]

interface Page {
  readonly after: Pick<Position, 'rank' | 'second_rank' | 'id'>
  readonly limit: number
  readonly offset: number
}

const pageAsker =
  (store: Store, wanted: ClustersWanted, as_of: number) =>
  async ({ after, limit, offset }: Page) =>
    await (wanted.kind === 'subject' ? subjectPage : clusterPage)(store)({
      namespace: wanted.namespace,
      from: as_of - wanted.window_ms,
      as_of,
      words: wanted.topic?.split(/\s+/).filter((word) => word !== '') ?? [],
      min_sources: wanted.min_sources,
      min_articles: wanted.min_articles,
      min_assignment_confidence: wanted.min_assignment_confidence,
      membership: wanted.membership ?? '',
      sort: wanted.sort,
      after_rank: after.rank,
      after_second_rank: after.second_rank,
      after_id: after.id,
      limit,
      offset,
    })

interface ItemsWanted {
  readonly namespace: string
  readonly as_of: number
  readonly ids: string[]
}

async function itemsOf(store: Store, { namespace, as_of, ids }: ItemsWanted): Promise<ClusterList['clusters']> {
  if (ids.length === 0) return []
  const rows = await clusterItems(store)({ namespace, ids, as_of, max_entities: PRIMARY_ENTITIES })
  const items = new Map(rows.map((row) => [row.cluster_id, { ...clusterItem(row), kind: 'event' as const }]))
  return ids.flatMap((id) => items.get(id) ?? [])
}
