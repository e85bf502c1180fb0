import { z } from 'zod'
import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import { countedPage, cursorFields, cursors, type Cursors, type ListQuery } from '../cursor.ts'
import { clusterItem, PRIMARY_ENTITIES } from './item.ts'
import { clusterItems } from './items.ts'
import { subjects, type SubjectItem } from './subjects.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'
import {
  ASSIGNMENT_CONFIDENCE,
  concernedByWindow,
  OUTLET,
  SETTLED,
  settlementOf,
  withOrigins,
  type Grouping,
} from './as-of.ts'

const SELECT_PAGE = `
    ${SETTLED},
    ${settlementOf('{min_assignment_confidence: Float64} > 0 AND cluster_id IN (SELECT cluster_id FROM touched)')},
    stories AS (
      SELECT
        cluster_id, countIf(own) AS articles, greatest(1, uniqExact(outlet)) AS sources,
        toFloat64(uniqExact(origin)) - uniqExactIf(origin, from_origin != '') AS origins, max(occurred_at) AS updated_at,
        countIf(own AND arrayAll(at -> at > 0, multiSearchAllPositionsCaseInsensitiveUTF8(about, {words: Array(String)}))) AS matching,
        toUnixTimestamp64Milli({as_of: DateTime64(3, 'UTC')}) AS until,
        toUnixTimestamp64Milli({from: DateTime64(3, 'UTC')}) AS since,
        (until - toUnixTimestamp64Milli(updated_at)) / ((until - since) / 4) AS age
      FROM looked LEFT JOIN settled ON toDate32(looked.occurred_at) = settled.day
      LEFT JOIN settlement ON looked.cluster_id = settlement.story
      GROUP BY cluster_id
      HAVING updated_at > {from: DateTime64(3, 'UTC')} AND matching > 0
        AND articles >= {min_articles: UInt32} AND sources >= {min_sources: UInt32}
        AND min(ifNull(${ASSIGNMENT_CONFIDENCE}, 0)) >= {min_assignment_confidence: Float64}
        AND ({membership: String} = '' OR min(revised < settled_at) = 1)
    ),
    ranked AS (
      SELECT
        cluster_id,
        multiIf(
          {sort: String} = 'recency', toFloat64(toUnixTimestamp64Milli(updated_at)),
          {sort: String} = 'coverage', origins,
          round(log2(1 + origins) * exp2(-age) * matching / articles, 9)
        ) AS rank,
        if({sort: String} = 'coverage', toFloat64(articles), 0.) AS second_rank,
        count() OVER () AS total
      FROM stories
    )
    SELECT cluster_id, rank, second_rank, total
    FROM ranked
    WHERE (rank, second_rank) < ({after_rank: Float64}, {after_second_rank: Float64})
      OR ((rank, second_rank) = ({after_rank: Float64}, {after_second_rank: Float64}) AND cluster_id > {after_id: String})
    ORDER BY rank DESC, second_rank DESC, cluster_id
    LIMIT {limit: UInt32} OFFSET {offset: UInt32}`

const PageParams = z.object({
  from: moment,
  as_of: moment,
  /** All of them must occur in the title or the entity names of one member; every cluster matches no words. */
  words: z.array(z.string()).max(250),
  min_sources: z.int(),
  min_articles: z.int(),
  /** Of each member, 0 to 1; 0 for a member of which none is known. */
  min_assignment_confidence: z.number(),
  /** Empty: settled or not. */
  membership: z.enum(['', 'settled']),
  sort: z.enum(['relevance', 'recency', 'coverage']),
  after_rank: z.number(),
  after_second_rank: z.number(),
  after_id: z.string(),
  limit: z.int(),
  offset: z.int(),
})

/**
 * A page of clusters, best first, as ids with their place in the order; `total` counts all pages. A cluster is in the
 * window when its last member is. Relevance: coverage x freshness (half after a quarter of the window) x share of
 * members that match the topic. Coverage is independent origins: re-prints and one house's outlets count once.
 */
const pageOf = (name: string, from: Grouping) =>
  query({
    name,
    sql: `
    WITH ${concernedByWindow(from)},
    ${withOrigins(
      `
        ${OUTLET} AS outlet,
        concat(ifNull(title, ''), ' ', arrayStringConcat(entity_names, ' ')) AS about`,
      from,
    )},
${SELECT_PAGE}`,
    params: PageParams,
    row: z.object({ cluster_id: z.string(), rank: z.number(), second_rank: z.number(), total: z.number() }),
  })

export const clusterPage = pageOf('clusters.page', 'placements')

/** The same of subject pages. */
export const subjectPage = pageOf('subjects.page', 'subject_listings')

/** The parameters of a page that a request sets as they are. */
type PlainParams = Pick<
  z.input<typeof PageParams>,
  'min_sources' | 'min_articles' | 'min_assignment_confidence' | 'sort'
>

/** The window ends at `as_of`. */
export interface ClusterListQuery extends ListQuery, Readonly<PlainParams> {
  /** Stories, or subject pages beside them. */
  readonly kind: 'event' | 'subject'
  readonly window_ms: number
  /** Words that occur in the titles or entity names; `null` for any cluster. */
  readonly topic: string | null
  /** `undefined` for settled or not. */
  readonly membership?: 'settled' | undefined
  /** From 1; ignored when there is a cursor. */
  readonly page: number
}

/** Where a page ended. `as_of` travels along, so that all pages are of one moment. */
export const Position = z.object({
  as_of: cursorFields.moment,
  rank: z.number(),
  second_rank: z.number(),
  id: z.string(),
  /** Clusters up to and with this one. */
  seen: cursorFields.count,
})

/** A place in the order of a list: by falling ranks, then by id. */
export type RankedClustersPlace = Pick<z.output<typeof Position>, 'rank' | 'second_rank' | 'id'>

export const BEFORE_ALL: RankedClustersPlace = { rank: Number.MAX_VALUE, second_rank: 0, id: '' }

/** The page of a list in this order that a request asks for. */
export const openPage = (
  list: Cursors<z.output<typeof Position>>,
  { cursor, as_of, page, limit }: ClusterListQuery,
  filters: unknown,
) => countedPage(list, { cursor, filters, start: { ...BEFORE_ALL, as_of, seen: (page - 1) * limit } })

/** What a cursor goes on with; only `limit` may change on the way. `state`: what else the list is narrowed by. */
export const filtersOf = ({ as_of_given, as_of, ...params }: Omit<ClusterListQuery, 'limit'>, ...state: unknown[]) => [
  params.namespace,
  params.window_ms,
  params.topic,
  params.min_sources,
  params.min_articles,
  params.sort,
  ...state,
  as_of_given ? as_of : null,
  ...certaintyOf(params),
  ...(params.kind === 'event' ? [] : [params.kind]),
]

/** Nothing of a request without them, so that cursors from before these parameters existed go on. */
const certaintyOf = ({ min_assignment_confidence: least, membership }: CertaintyQuery) =>
  least === 0 && membership === undefined ? [] : [least, membership ?? null]

type CertaintyQuery = Pick<ClusterListQuery, 'min_assignment_confidence' | 'membership'>

interface RankedPage {
  readonly after: RankedClustersPlace
  readonly limit: number
  readonly offset: number
}

/** The clusters after a place in the order, as places; `total` counts all there are, before it too. */
export async function ranked(
  store: Store,
  params: ClusterListQuery,
  { after, limit, offset }: RankedPage,
): Promise<(RankedClustersPlace & { readonly total: number })[]> {
  const rows = await (params.kind === 'subject' ? subjectPage : clusterPage)(store)({
    ...params,
    from: params.as_of - params.window_ms,
    words: params.topic?.split(/\s+/).filter((word) => word !== '') ?? [],
    membership: params.membership ?? '',
    after_rank: after.rank,
    after_second_rank: after.second_rank,
    after_id: after.id,
    limit,
    offset,
  })
  return rows.map(({ cluster_id: id, rank, second_rank, total }) => ({ id, rank, second_rank, total }))
}

/** A page after a place, and how many clusters all pages have. */
export async function rankedPage(store: Store, params: ClusterListQuery, page: RankedPage) {
  const rows = await ranked(store, params, page)
  const [one] = rows.length > 0 ? rows : await ranked(store, params, { after: BEFORE_ALL, limit: 1, offset: 0 })
  return {
    rows: rows.map(({ id, rank, second_rank }): RankedClustersPlace => ({ id, rank, second_rank })),
    total: one?.total ?? 0,
  }
}

/** A story or a subject page as every list shows it. */
export type ListedItem = SubjectItem | (ReturnType<typeof clusterItem> & { readonly kind: 'event' })
const positions = cursors('clusters', Position)

/** A page of clusters with news in the window, best first; `total` counts all pages. Throws `InvalidCursor`. */
export async function clusterList(store: Store, params: ClusterListQuery, model: SummaryModel) {
  const { after, offset, nextCursor } = openPage(positions, params, filtersOf(params))
  const at = { ...params, as_of: after.as_of }
  const { rows, total } = await rankedPage(store, at, { after, offset, limit: params.limit })
  return {
    clusters: await listedItems(store, { ...at, ids: rows.map(({ id }) => id) }, model),
    total,
    page: Math.floor(after.seen / params.limit) + 1,
    next_cursor: nextCursor(rows, total, (last, seen) => ({ ...last, as_of: after.as_of, seen })),
  }
}

interface ListedItemsQuery extends Pick<ClusterListQuery, 'kind' | keyof AsOf> {
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
