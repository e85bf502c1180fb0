import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { groupBy } from '../../domain/group-by.ts'
import type { Store } from '../../ports/store.ts'
import { query, type QueryAsk, type Window } from '../query.ts'

/** The log offset and the event time (milliseconds since 1970) of an analysis. */
export type AnalysisPlace = readonly [offset: number, at: number]

/** The analysis of one revision of an article. It has several places if its rows were written again later in the log. */
export interface AnalysedRevision {
  /** By a request, not by the pipeline. */
  readonly direct: boolean
  readonly places: readonly AnalysisPlace[]
}

/**
 * The analyses of a window up to a log offset that do not count, since their articles have another one as of its end: a
 * newer one, or one from the pipeline instead of a direct one. Of a revision with several places, the first one counts, as
 * the store keeps it.
 */
export function replacedIn(
  articles: Iterable<readonly AnalysedRevision[]>,
  { from, as_of, up_to }: Pick<Window, 'from' | 'as_of'> & { readonly up_to: number },
): AnalysisPlace[] {
  const replaced: AnalysisPlace[] = []
  for (const revisions of articles) {
    const known = revisions.map(({ direct, places }) => ({ direct, places: places.filter(([one]) => one <= up_to) }))
    const current = currentOf(known, as_of)
    for (const place of known.flatMap(({ places }) => places))
      if (place[0] !== current && place[1] > from && place[1] <= as_of) replaced.push(place)
  }
  return replaced
}

function currentOf(revisions: readonly AnalysedRevision[], as_of: number): number | null {
  const firsts = revisions.flatMap(({ direct, places }) =>
    [...places]
      .sort(([one], [other]) => one - other)
      .slice(0, 1)
      .filter(([, at]) => at <= as_of)
      .map(([offset]) => ({ direct, offset })),
  )
  const fromPipeline = firsts.filter(({ direct }) => !direct)
  const candidates = fromPipeline.length > 0 ? fromPipeline : firsts
  return candidates.length === 0 ? null : Math.max(...candidates.map(({ offset }) => offset))
}

const SeveralRow = z.object({
  article_id: z.string(),
  /** Content hash, direct, log offset, event time. */
  analyses: z.array(z.tuple([z.string(), z.boolean(), z.number(), z.number()])),
})

/** The rows of the articles that have several, among those that a condition selects. */
const severalOf = <Params extends z.ZodObject>(
  name: string,
  { articles, params }: { readonly articles: string; readonly params: Params },
): QueryAsk<z.input<Params>, z.output<typeof SeveralRow>> =>
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
    SELECT
      article_id,
      groupUniqArray((content_hash, direct, _offset, toUnixTimestamp64Milli(occurred_at))) AS analyses
    FROM analyzed_articles
    PREWHERE article_id IN (SELECT article_id FROM several)
    WHERE namespace = {namespace: String}
    GROUP BY article_id
    SETTINGS optimize_aggregation_in_order = 1`,
    params,
    row: SeveralRow,
  })

const limit = z.int()
const severalOfAll = severalOf('entities.several', { articles: 'true', params: z.object({ limit }) })
const severalSince = severalOf('entities.several_since', {
  articles: `article_id IN
      (
        SELECT article_id FROM analyzed_articles WHERE namespace = {namespace: String} AND _offset > {since: UInt64}
      )`,
  params: z.object({ limit, since: z.int() }),
})

/**
 * The log offset up to which analyses are complete in all tables: their row here is inserted last. Without this limit, the
 * entities of one that arrives meanwhile would look like repeated rows. `rows` and `rows_since` are equal for equal rows, up
 * to now and up to an earlier offset: rows can be written again, and repeated rows are merged away.
 */
const rowsNow = query({
  name: 'entities.analyses_now',
  sql: `
    SELECT
      max(_offset) AS up_to, toString(sum(sipHash64(_offset))) AS rows,
      toString(sumIf(sipHash64(_offset), _offset <= {since: UInt64})) AS rows_since
    FROM analyzed_articles
    WHERE namespace = {namespace: String}`,
  params: z.object({ since: z.int() }),
  row: z.object({ up_to: z.number(), rows: z.string(), rows_since: z.string() }),
})

/** The articles of a namespace with several analyses, as one server has them. */
interface SeveralAnalyses {
  readonly up_to: number
  /** Equal for equal rows up to this offset. */
  readonly rows: string
  /** `null` if they are too many to be held. */
  readonly articles: ReadonlyMap<string, readonly AnalysedRevision[]> | null
}

/** Articles with several analyses of one namespace that are held, some 300 bytes each. */
const MOST_ARTICLES = 100_000
const MOST_OF_ALL_NAMESPACES = 200_000

const caches = new WeakMap<Store, LRUCache<string, SeveralAnalyses>>()

function cacheOf(stores: Store): LRUCache<string, SeveralAnalyses> {
  const sizeCalculation = ({ articles }: SeveralAnalyses): number => 1 + (articles?.size ?? 0)
  const cache =
    caches.get(stores) ?? new LRUCache<string, SeveralAnalyses>({ maxSize: MOST_OF_ALL_NAMESPACES, sizeCalculation })
  caches.set(stores, cache)
  return cache
}

/**
 * The articles of a namespace that have several analyses, as one server of `stores` has them: `store`. Few have, and
 * finding them means reading the ids of all, so they are held, and the next time only articles that were analysed since
 * are looked at.
 */
export async function severalAnalyses(stores: Store, store: Store, namespace: string): Promise<SeveralAnalyses> {
  const cache = cacheOf(stores)
  const found = await analysesNow(store, namespace, cache.get(namespace))
  cache.set(namespace, found)
  return found
}

async function analysesNow(
  store: Store,
  namespace: string,
  known: SeveralAnalyses | undefined,
): Promise<SeveralAnalyses> {
  const [now] = await rowsNow(store)({ namespace, since: known?.up_to ?? 0 })
  const { up_to, rows, rows_since } = now ?? { up_to: 0, rows: '', rows_since: '' }
  if (known?.rows === rows) return known
  const before = known?.rows === rows_since ? known : undefined
  return { up_to, rows, articles: await articlesNow(store, namespace, before) }
}

async function articlesNow(store: Store, namespace: string, before: SeveralAnalyses | undefined) {
  if (before?.articles === null) return null
  const most = { namespace, limit: MOST_ARTICLES + 1 }
  const found = await (before === undefined
    ? severalOfAll(store)(most)
    : severalSince(store)({ ...most, since: before.up_to }))
  const held = before?.articles ?? new Map<string, readonly AnalysedRevision[]>()
  if (found.length === 0) return held
  const revised = found.map(({ article_id, analyses }) => [article_id, revisionsOf(analyses)] as const)
  const articles = new Map([...held, ...revised])
  return articles.size > MOST_ARTICLES ? null : articles
}

const revisionsOf = (analyses: z.output<typeof SeveralRow>['analyses']): AnalysedRevision[] =>
  [...groupBy(analyses, ([hash, direct]) => `${hash} ${direct}`).values()].map((rows) => ({
    direct: rows.some(([, direct]) => direct),
    places: rows.map(([, , offset, at]) => [offset, at]),
  }))
