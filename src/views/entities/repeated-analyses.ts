import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { query, type QueryAsk, type Window } from '../query.ts'

/** The log offset and the event time (milliseconds since 1970) of an analysis. */
export type AnalysisPlace = readonly [offset: number, at: number]

/** The analysis of one revision of an article; with several places if its rows were written under several log offsets. */
export interface AnalysedRevision {
  /** By a request, not by the pipeline. */
  readonly direct: boolean
  readonly places: readonly AnalysisPlace[]
}

/**
 * The analyses of a window up to a log offset that do not count, since their articles have another one as of its end: a
 * newer one, or one from the pipeline instead of a direct one.
 */
export function replacedIn(
  articles: Iterable<readonly AnalysedRevision[]>,
  { from, as_of, up_to }: Pick<Window, 'from' | 'as_of'> & { readonly up_to: number },
): AnalysisPlace[] {
  const isKnown = ([offset, at]: AnalysisPlace): boolean => at <= as_of && offset <= up_to
  return [...articles].flatMap((revisions) => {
    const known = revisions
      .map(({ direct, places }) => ({ direct, places: places.filter(isKnown) }))
      .filter(({ places }) => places.length > 0)
      .map((revision) => ({ ...revision, first: Math.min(...revision.places.map(([offset]) => offset)) }))
    const fromPipeline = known.filter(({ direct }) => !direct)
    const candidates = fromPipeline.length > 0 ? fromPipeline : known
    const current = Math.max(...candidates.map(({ first }) => first))
    return known.flatMap(({ places }) => places).filter(([offset, at]) => offset !== current && at > from)
  })
}

const RepeatedRow = z.object({
  article_id: z.string(),
  direct: z.boolean(),
  places: z.array(z.tuple([z.number(), z.number()])),
})

/** One row per analysed revision of the articles that have several rows, `articles` only. */
const repeatedOf = <Params extends z.ZodObject>(
  name: string,
  { articles, params }: { readonly articles: string; readonly params: Params },
): QueryAsk<z.input<Params>, z.output<typeof RepeatedRow>> =>
  query({
    name,
    sql: `
    WITH several AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String} AND ${articles}
      GROUP BY article_id
      HAVING count() > 1
      LIMIT {limit: UInt32}
    )
    SELECT article_id, direct, groupUniqArray((_offset, toUnixTimestamp64Milli(occurred_at))) AS places
    FROM analyzed_articles
    PREWHERE article_id IN (SELECT article_id FROM several)
    WHERE namespace = {namespace: String}
    GROUP BY article_id, content_hash, direct
    SETTINGS optimize_aggregation_in_order = 1`,
    params,
    row: RepeatedRow,
  })

const limit = z.int()
const repeatedOfAll = repeatedOf('entities.repeated', { articles: 'true', params: z.object({ limit }) })
const repeatedSince = repeatedOf('entities.repeated_since', {
  articles: `article_id IN
      (
        SELECT article_id FROM analyzed_articles WHERE namespace = {namespace: String} AND _offset > {since: UInt64}
      )`,
  params: z.object({ limit, since: z.int() }),
})

/** The articles of a namespace with several analyses up to a log offset. */
interface RepeatedAnalyses {
  readonly up_to: number
  /** `null` if they are too many to be held. */
  readonly articles: ReadonlyMap<string, readonly AnalysedRevision[]> | null
}

/** Articles with several analyses that are held of one namespace, some 300 bytes each, ... */
const MOST_ARTICLES = 50_000
/** ... and of all. */
const MOST_OF_ALL = 100_000

const caches = new WeakMap<Store, LRUCache<string, RepeatedAnalyses>>()

function cacheOf(store: Store): LRUCache<string, RepeatedAnalyses> {
  const sizeCalculation = ({ articles }: RepeatedAnalyses): number => 1 + (articles?.size ?? 0)
  const cache = caches.get(store) ?? new LRUCache<string, RepeatedAnalyses>({ maxSize: MOST_OF_ALL, sizeCalculation })
  caches.set(store, cache)
  return cache
}

/**
 * The articles of a namespace that have several analyses, up to a log offset at least. Few have, and finding them means
 * reading the ids of all, so they are held, and a request looks only at articles that were analysed since. `null` if they
 * are too many. The offsets hold for all servers of a store; those of a row that was merged away since exclude nothing.
 */
export async function repeatedAnalyses(
  store: Store,
  { namespace, up_to }: { readonly namespace: string; readonly up_to: number },
): Promise<RepeatedAnalyses['articles']> {
  const cache = cacheOf(store)
  const known = cache.get(namespace)
  const isEnough = known !== undefined && (known.articles === null || known.up_to >= up_to)
  const found = isEnough ? known : { up_to, articles: await articlesUpToNow(store, namespace, known) }
  cache.set(namespace, found)
  return found.articles
}

async function articlesUpToNow(
  store: Store,
  namespace: string,
  known: RepeatedAnalyses | undefined,
): Promise<RepeatedAnalyses['articles']> {
  const most = { namespace, limit: MOST_ARTICLES + 1 }
  const rows = await (known === undefined
    ? repeatedOfAll(store)(most)
    : repeatedSince(store)({ ...most, since: known.up_to }))
  const articles = new Map([...(known?.articles ?? []), ...byArticle(rows)])
  return articles.size > MOST_ARTICLES ? null : articles
}

function byArticle(rows: readonly z.output<typeof RepeatedRow>[]): ReadonlyMap<string, AnalysedRevision[]> {
  const articles = new Map<string, AnalysedRevision[]>()
  for (const { article_id, direct, places } of rows)
    articles.set(article_id, [...(articles.get(article_id) ?? []), { direct, places }])
  return articles
}
