import { z } from 'zod'
import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import { countedPage, cursorFields, cursors, type Cursors, type ListQuery } from '../cursor.ts'
import { IS_SETTLED, overFacts, overFigures, RANKED_BY, SETTLED_DAYS } from './figures.ts'
import { clusterItem, PRIMARY_ENTITIES } from './item.ts'
import { clusterItems } from './items.ts'
import { subjects, type SubjectItem } from './subjects.ts'
import { ALWAYS, moment, NOW_AND_LATER } from '../instant.ts'
import type { AsOf } from '../query.ts'

/** Ranks the rows of the CTE `figures`. `matching`: how many articles of a story match the topic. */
const selectPage = (matching: string): string => `
    ${SETTLED_DAYS},
    stories AS (
      SELECT
        cluster_id, articles, sources, origins, updated_at, ${matching} AS matching,
        toUnixTimestamp64Milli({as_of: DateTime64(3, 'UTC')}) AS until,
        toUnixTimestamp64Milli({from: DateTime64(3, 'UTC')}) AS since,
        (until - toUnixTimestamp64Milli(updated_at)) / ((until - since) / 4) AS age
      FROM figures
      WHERE updated_at > {from: DateTime64(3, 'UTC')} AND matching > 0
        AND updated_at > {last_after: DateTime64(3, 'UTC')} AND updated_at <= {last_until: DateTime64(3, 'UTC')}
        AND (empty({only: Array(String)}) OR cluster_id IN {only: Array(String)})
        AND cluster_id NOT IN {except: Array(String)}
        AND articles >= {min_articles: UInt32} AND sources >= {min_sources: UInt32}
        AND min_confidence >= {min_assignment_confidence: Float64}
        AND ({membership: String} = '' OR ${IS_SETTLED})
        AND (empty({languages: Array(String)}) OR hasAny({languages: Array(String)}, languages))
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

const IN_ABOUTS =
  'arrayCount(about -> arrayAll(at -> at > 0, multiSearchAllPositionsCaseInsensitiveUTF8(about, {words: Array(String)})), abouts)'

/** All words must occur in the title or the entity names of one member. An empty list matches every cluster. */
const words = z.array(z.string()).max(250)

const PageParams = z.object({
  from: moment,
  as_of: moment,
  min_sources: z.int(),
  min_articles: z.int(),
  /** Applies to every member, 0 to 1. A member with unknown confidence counts as 0. */
  min_assignment_confidence: z.number(),
  /** Empty for settled and provisional clusters. */
  membership: z.enum(['', 'settled']),
  /** At least one member is in one of these languages. An empty list matches every cluster. */
  languages: z.array(z.string()),
  /** Bounds of the event time of the newest member. */
  last_after: moment.prefault(ALWAYS),
  last_until: moment.prefault(NOW_AND_LATER),
  /** An empty list matches every cluster. */
  only: z.array(z.string()).default([]),
  except: z.array(z.string()).default([]),
  sort: z.enum(['relevance', 'recency', 'coverage']),
  after_rank: z.number(),
  after_second_rank: z.number(),
  after_id: z.string(),
  limit: z.int(),
  offset: z.int(),
})

const PageRow = z.object({ cluster_id: z.string(), rank: z.number(), second_rank: z.number(), total: z.number() })

/**
 * A page of clusters, best first: ids with their ranks; `total` counts all pages. A cluster is in the window if its
 * newest member is. Relevance is coverage x freshness (halves with each quarter of the window) x share of members that
 * match the topic. Coverage is the number of independent sources: reprints, and the outlets of one publisher, count
 * once.
 */
const BY_WORDS = { select: selectPage(IN_ABOUTS), params: PageParams.extend({ words }), row: PageRow }

/** Computed from facts as a whole. */
export const clusterPage = overFacts({ name: 'clusters.page_of_facts', ...BY_WORDS })
/** The same for subject pages. */
export const subjectPage = overFacts({ name: 'subjects.page', ...BY_WORDS }, 'subject_listings')

/** The titles and names of articles are read only to look for words. */
const pages = {
  ofAll: overFigures({
    name: 'clusters.page',
    columns: RANKED_BY,
    select: selectPage('articles'),
    params: PageParams,
    row: PageRow,
  }),
  byWords: overFigures({ name: 'clusters.page_by_words', columns: `${RANKED_BY}, abouts`, ...BY_WORDS }),
}

type PageRequest = Parameters<ReturnType<typeof clusterPage>>[0]

/** The page of stories as `clusterPage` returns it. */
export function storyPage(store: Store, { words, ...request }: PageRequest) {
  return words.length === 0 ? pages.ofAll(store)(request) : pages.byWords(store)({ ...request, words })
}

/** Query parameters that are taken from the request unchanged. */
type PlainParams = Pick<
  z.input<typeof PageParams>,
  'min_sources' | 'min_articles' | 'min_assignment_confidence' | 'sort'
>

/** The window ends at `as_of`. */
export interface ClusterListQuery extends ListQuery, Readonly<PlainParams> {
  /** Lists stories (`event`) or subject pages (`subject`). */
  readonly kind: 'event' | 'subject'
  readonly window_ms: number
  /** Words that must occur in a member's title or entity names; `null` for any cluster. */
  readonly topic: string | null
  /** `undefined` for settled and provisional clusters. */
  readonly membership?: 'settled' | undefined
  /** Only clusters with a member in one of these (ISO 639-1, or `und`). Default: all. */
  readonly languages?: readonly string[] | undefined
  /** Starts at 1; ignored if there is a cursor. */
  readonly page: number
}

/** The end of a page. It carries `as_of`, so that all pages show the same point in time. */
export const Position = z.object({
  as_of: cursorFields.moment,
  rank: z.number(),
  second_rank: z.number(),
  id: z.string(),
  /** Number of clusters up to and including this one. */
  seen: cursorFields.count,
})

/** A position in the order of a list: by descending ranks, then by id. */
export type RankPosition = Pick<z.output<typeof Position>, 'rank' | 'second_rank' | 'id'>

export const BEFORE_ALL: RankPosition = { rank: Number.MAX_VALUE, second_rank: 0, id: '' }

/** The requested page of a list in this order. */
export const openPage = (
  list: Cursors<z.output<typeof Position>>,
  { cursor, as_of, page, limit }: ClusterListQuery,
  filters: unknown,
) => countedPage(list, { cursor, filters, start: { ...BEFORE_ALL, as_of, seen: (page - 1) * limit } })

/** The parameters that must not change between pages: all but `limit`. `state`: further filters of the list. */
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
  ...(params.languages === undefined ? [] : [params.languages]),
  ...(params.kind === 'event' ? [] : [params.kind]),
]

/** Empty if the request has neither parameter, so that cursors issued before these parameters existed stay valid. */
const certaintyOf = ({ min_assignment_confidence: minimum, membership }: CertaintyQuery) =>
  minimum === 0 && membership === undefined ? [] : [minimum, membership ?? null]

type CertaintyQuery = Pick<ClusterListQuery, 'min_assignment_confidence' | 'membership'>

/** Leaves clusters out. */
export type RankedFilter = Pick<z.input<typeof PageParams>, 'last_after' | 'last_until' | 'only' | 'except'>

interface RankedPage {
  readonly after: RankPosition
  readonly limit: number
  readonly offset: number
  readonly filter?: RankedFilter
}

/** The positions of the clusters after a position; `total` counts all clusters, including those before it. */
export async function ranked(
  store: Store,
  params: ClusterListQuery,
  { after, limit, offset, filter }: RankedPage,
): Promise<(RankPosition & { readonly total: number })[]> {
  const request: PageRequest = {
    ...params,
    from: params.as_of - params.window_ms,
    words: params.topic?.split(/\s+/).filter((word) => word !== '') ?? [],
    membership: params.membership ?? '',
    languages: [...(params.languages ?? [])],
    ...filter,
    after_rank: after.rank,
    after_second_rank: after.second_rank,
    after_id: after.id,
    limit,
    offset,
  }
  const rows = await (params.kind === 'subject' ? subjectPage(store)(request) : storyPage(store, request))
  return rows.map(({ cluster_id: id, rank, second_rank, total }) => ({ id, rank, second_rank, total }))
}

/** The page after a position, and the total of all pages, which is read separately if the page is empty. */
export async function rankedPage(store: Store, params: ClusterListQuery, page: RankedPage) {
  const rows = await ranked(store, params, page)
  const isComplete = rows.length > 0 || (page.offset === 0 && page.after.rank === BEFORE_ALL.rank)
  const [one] = isComplete ? rows : await ranked(store, params, { ...page, after: BEFORE_ALL, limit: 1, offset: 0 })
  return {
    rows: rows.map(({ id, rank, second_rank }): RankPosition => ({ id, rank, second_rank })),
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

/** Some stories or subject pages as of a point in time, in the order of `ids`. */
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
