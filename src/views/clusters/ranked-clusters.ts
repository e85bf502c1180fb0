import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { cursorFields } from '../cursor.ts'
import { clusterPage, subjectPage } from './queries.ts'

export interface ClusterListQuery {
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

/** What a cursor goes on with; only `limit` may change on the way. `state`: what else the list is narrowed by. */
export const filtersOf = ({ as_of_given, as_of, ...params }: Omit<ClusterListQuery, 'limit'>, ...state: unknown[]) => [
  ...[params.namespace, params.window_ms, params.topic, params.min_sources, params.min_articles, params.sort],
  ...state,
  as_of_given ? as_of : null,
  ...certaintyOf(params),
  ...(params.kind === 'event' ? [] : [params.kind]),
]

/** Nothing of a question without them: cursors of before they came go on. */
const certaintyOf = ({
  min_assignment_confidence,
  membership,
}: Pick<ClusterListQuery, 'min_assignment_confidence' | 'membership'>) =>
  min_assignment_confidence === 0 && membership === undefined ? [] : [min_assignment_confidence, membership ?? null]

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
    namespace: params.namespace,
    from: params.as_of - params.window_ms,
    as_of: params.as_of,
    words: params.topic?.split(/\s+/).filter((word) => word !== '') ?? [],
    min_sources: params.min_sources,
    min_articles: params.min_articles,
    min_assignment_confidence: params.min_assignment_confidence,
    membership: params.membership ?? '',
    sort: params.sort,
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
