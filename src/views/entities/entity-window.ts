import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'
import { entityIndex, isDecided, minArticles, type EntityIndex } from './entity-index.ts'

/** The window is (`as_of` - `window_ms`, `as_of`]. */
interface EntityWindowQuery extends AsOf {
  readonly window_ms: number
  /** Minimum strength of the pairs to be read, 0 to 1. */
  readonly min_strength: number
}

/** The index over a window's articles, complete for pairs of at least `min_strength`. */
export async function indexOf(store: Store, params: EntityWindowQuery): Promise<EntityIndex> {
  const { namespace, as_of, window_ms } = params
  const [found] = await placesCounted(store)({ namespace, from: as_of - window_ms, as_of })
  const window = { namespace, places: found?.places ?? [] }
  const name = nameOf(window)
  const windows = windowsOf(store)
  const known = await windows.get(name)
  if (known !== undefined && isSufficient(known, params)) return known.index

  const reading = read(store, window, params)
  windows.set(name, reading)
  reading.catch(() => windows.delete(name)) // after a store error, the next request reads again
  return (await reading).index
}

export interface EntityWindow {
  readonly namespace: string
  readonly places: number[]
}

interface WindowRead {
  readonly index: EntityIndex
  /** The index has reached its maximum size, so no more is read. */
  readonly isAtLimit: boolean
}

/** Entity-article pairs of the first read: enough for some thousand articles, or for all but weak pairs. */
const FIRST_BUDGET = 120_000
/** Maximum number of entity-article pairs. Limits an index to about 50 MB; weak pairs are left out. */
const MAX_BUDGET = 2_000_000

async function read(store: Store, window: EntityWindow, params: EntityWindowQuery): Promise<WindowRead> {
  for (let budget = FIRST_BUDGET; ; budget = Math.max(budget * 4, MAX_BUDGET)) {
    const rows = await postingsRead(store)({ ...window, budget })
    const postings = rows.map(({ id, called: name, kind: type, at: offsets }) => ({ id, name, type, offsets }))
    const isWhole = rows.reduce((sum, { articles }) => sum + articles, 0) === (rows[0]?.articles_of_all ?? 0)
    const found = { index: entityIndex(postings, isWhole), isAtLimit: budget >= MAX_BUDGET }
    if (isDecided(found.index) && isSufficient(found, params)) return found
  }
}

const isSufficient = ({ index, isAtLimit }: WindowRead, { min_strength }: EntityWindowQuery): boolean =>
  isAtLimit || index.floor <= minArticles(min_strength, index.maxCommon)

/**
 * Number of cached indexes, by window. The key is the set of analyses, so an entry stays valid until an article enters
 * or leaves the window.
 */
const CACHE_SIZE = 4
const caches = new WeakMap<Store, LRUCache<string, Promise<WindowRead>>>()

const nameOf = ({ namespace, places }: EntityWindow): string =>
  createHash('sha256').update(namespace).update(Float64Array.from(places)).digest('base64')

function windowsOf(store: Store): LRUCache<string, Promise<WindowRead>> {
  const known = caches.get(store) ?? new LRUCache<string, Promise<WindowRead>>({ max: CACHE_SIZE })
  caches.set(store, known)
  return known
}

/**
 * One row: the log offsets of the current analyses of the articles in a window of event time, `from` (exclusive) to
 * `as_of`. The current analysis of an article is its newest as of that time; one from the pipeline takes precedence
 * over a direct one. The entities and sentence relations of an analysis have the same log offset.
 */
const placesCounted = query({
  name: 'graph.places_counted',
  sql: `
    WITH touched AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String}
        AND occurred_at > {from: DateTime64(3, 'UTC')} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    counted AS (
      SELECT max((NOT direct, _offset, occurred_at)) AS analysis
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM touched)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
      HAVING analysis.3 > {from: DateTime64(3, 'UTC')}
    )
    SELECT arraySort(groupArray(analysis.2)) AS places FROM counted`,
  params: z.object({ from: moment, as_of: moment }),
  row: z.object({ places: z.array(z.number()) }),
})

/**
 * The entities with the most articles in a window, and these articles, until `budget` entity-article pairs are reached.
 */
const postingsRead = query({
  name: 'graph.postings',
  sql: `
    WITH named AS (
      SELECT
        entity_id AS id, any(name) AS called, any(type) AS kind, arrayDistinct(groupArray(_offset)) AS at,
        length(at) AS articles
      FROM entity_articles
      PREWHERE type NOT IN ('DATE', 'MONEY') AND _offset IN {places: Array(UInt64)}
      WHERE namespace = {namespace: String}
      GROUP BY entity_id
    ),
    ranked AS (
      SELECT
        *, sum(articles) OVER () AS articles_of_all,
        sum(articles) OVER (ORDER BY articles DESC, id ROWS UNBOUNDED PRECEDING) AS so_far
      FROM named
    )
    SELECT id, called, kind, at, articles, articles_of_all FROM ranked WHERE so_far - articles < {budget: UInt64}`,
  params: z.object({ places: z.array(z.number()), budget: z.int() }),
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
