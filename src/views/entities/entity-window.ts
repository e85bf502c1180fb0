import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { AsOf } from '../query.ts'
import { currentAnalyses, IN_ORDER, overCurrentAnalyses, type CurrentAnalyses } from './current-analyses.ts'
import { hasRepeatedRows } from './window-sums.ts'
import { entityIndex, isDecided, minArticles, type EntityIndex } from './entity-index.ts'

/** The window is (`as_of` - `window_ms`, `as_of`]. */
interface EntityWindowQuery extends AsOf {
  readonly window_ms: number
  /** Minimum strength of the pairs to be read, 0 to 1. */
  readonly min_strength: number
}

/** The articles of a window of event time: the analyses that count, and an index of their entities. */
export interface EntityWindow {
  /** Reads from the server that has these analyses. */
  readonly store: Store
  readonly analyses: CurrentAnalyses
  /** Complete for pairs of at least the requested strength. */
  readonly index: EntityIndex
}

export async function entityWindow(stores: Store, params: EntityWindowQuery): Promise<EntityWindow> {
  const { namespace, as_of, window_ms } = params
  const { store, analyses } = await currentAnalyses(stores, { namespace, as_of, from: as_of - window_ms })
  const [content] = await contentOf(store)(analyses)
  const name = [namespace, content?.analyses, content?.places].join(' ')
  const windows = windowsOf(stores)
  const known = await windows.get(name)
  if (known !== undefined && isSufficient(known, params)) return { store, ...windowRead(analyses, known) }

  const reading = read(store, analyses, params)
  windows.set(name, reading)
  reading.catch(() => windows.delete(name)) // after a store error, the next request reads again
  return { store, ...windowRead(analyses, await reading) }
}

const windowRead = (analyses: CurrentAnalyses, { index, hasRepeats }: WindowRead) => ({
  analyses: hasRepeats ? { ...analyses, replaced: null } : analyses,
  index,
})

interface WindowRead {
  readonly index: EntityIndex
  /** The index has reached its maximum size, so no more is read. */
  readonly isAtLimit: boolean
  /** The table has rows of analyses that were repeated, which only a look-up of the analyses that count leaves out. */
  readonly hasRepeats: boolean
}

/** Entity-article pairs of the first read: enough for some thousand articles, or for all but weak pairs. */
const FIRST_BUDGET = 120_000
/** Maximum number of entity-article pairs. Limits an index to about 50 MB; weak pairs are left out. */
const MAX_BUDGET = 2_000_000

async function read(store: Store, analyses: CurrentAnalyses, params: EntityWindowQuery): Promise<WindowRead> {
  const hasRepeats = await hasRepeatedRows(store, analyses)
  const counted = hasRepeats ? { ...analyses, replaced: null } : analyses
  for (let budget = FIRST_BUDGET; ; budget = Math.max(budget * 4, MAX_BUDGET)) {
    const rows = await postingsRead(store)({ ...counted, budget })
    const postings = rows.map(({ id, called: name, kind: type, at: offsets }) => ({ id, name, type, offsets }))
    const isWhole = rows.reduce((sum, { articles }) => sum + articles, 0) === (rows[0]?.articles_of_all ?? 0)
    const found = { index: entityIndex(postings, isWhole), isAtLimit: budget >= MAX_BUDGET, hasRepeats }
    if (isDecided(found.index) && isSufficient(found, params)) return found
  }
}

const isSufficient = ({ index, isAtLimit }: WindowRead, { min_strength }: EntityWindowQuery): boolean =>
  isAtLimit || index.floor <= minArticles(min_strength, index.maxCommon)

/**
 * Number of cached indexes, by window. The key identifies the set of analyses, so an entry stays valid until an article
 * enters or leaves the window.
 */
const CACHE_SIZE = 4
const caches = new WeakMap<Store, LRUCache<string, Promise<WindowRead>>>()

function windowsOf(store: Store): LRUCache<string, Promise<WindowRead>> {
  const known = caches.get(store) ?? new LRUCache<string, Promise<WindowRead>>({ max: CACHE_SIZE })
  caches.set(store, known)
  return known
}

/**
 * Equal for equal sets of analyses. The current analysis of an article is its newest as of the end of the window; one from
 * the pipeline takes precedence over a direct one. The entities and sentence relations of an analysis have the same log
 * offset.
 */
const contentOf = overCurrentAnalyses({
  name: 'graph.window_content',
  sql: (ctes, condition) => `
    WITH ${ctes}
    rows AS (SELECT _offset FROM analyzed_articles WHERE namespace = {namespace: String} AND ${condition})
    SELECT count() AS analyses, toString(sum(sipHash64(_offset))) AS places FROM rows`,
  params: z.object({}),
  row: z.object({ analyses: z.number(), places: z.string() }),
})

/**
 * The entities with the most articles in a window, and these articles, until `budget` entity-article pairs are reached.
 */
const postingsRead = overCurrentAnalyses({
  name: 'graph.postings',
  sql: (ctes, condition) => `
    WITH ${ctes}
    named AS (
      SELECT
        entity_id AS id, any(name) AS called, any(type) AS kind, arrayDistinct(groupArray(_offset)) AS at,
        length(at) AS articles
      FROM entity_articles
      PREWHERE type NOT IN ('DATE', 'MONEY') AND ${condition}
      WHERE namespace = {namespace: String}
      GROUP BY entity_id
    ),
    ranked AS (
      SELECT
        *, sum(articles) OVER () AS articles_of_all,
        sum(articles) OVER (ORDER BY articles DESC, id ROWS UNBOUNDED PRECEDING) AS so_far
      FROM named
    )
    SELECT id, called, kind, at, articles, articles_of_all FROM ranked WHERE so_far - articles < {budget: UInt64}
    ${IN_ORDER}`,
  params: z.object({ budget: z.int() }),
  row: z.object({
    id: z.string(),
    called: z.string(),
    kind: z.string(),
    at: z.array(z.number()),
    articles: z.number(),
    /** Sum over all entities. */
    articles_of_all: z.number(),
  }),
})
