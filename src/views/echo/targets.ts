import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { belonging, concernedByIds } from '../clusters/as-of.ts'
import { clusterItem } from '../clusters/item.ts'
import { clusterItems } from '../clusters/items.ts'
import { storyPage } from '../clusters/list.ts'
import { HOUR_MS } from '../../domain/days.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

const ACTIVE_MS = 72 * HOUR_MS
/** Stories with fewer articles are left out, because their entities are not reliable. */
const MIN_ARTICLES = 3
const MAX_ENTITIES = 8
const MAX_URLS = 20

/** URLs of the articles of some stories as of a point in time, newest first: one row per story with any. */
const storyUrls = query({
  name: 'echo.story_urls',
  sql: `
    WITH ${concernedByIds()},
    ${belonging('url')},
    newest AS (
      SELECT cluster_id, ifNull(url, '') AS address, max(occurred_at) AS at
      FROM belonging
      WHERE cluster_id IN {ids: Array(String)} AND address != ''
      GROUP BY cluster_id, address
      ORDER BY at DESC, address
      LIMIT {max_urls: UInt32} BY cluster_id
    )
    SELECT cluster_id, arrayMap(one -> one.2, arrayReverseSort(groupArray((at, address)))) AS urls
    FROM newest
    GROUP BY cluster_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment, max_urls: z.int() }),
  row: z.object({ cluster_id: z.string(), urls: z.array(z.string()) }),
})

interface TargetsQuery extends AsOf {
  /** At most a few thousand ids, because they are sent in the query's URL. */
  readonly limit: number
}

/** A story for which connectors may search public platforms. */
export interface TargetFacts {
  readonly cluster_id: string
  readonly title: string
  readonly article_count: number
  /** Independent sources. */
  readonly origins: number
  /** Event time of its last article, milliseconds since 1970. */
  readonly last_published: number
  /** Names of people, organisations, places and events, ordered by the number of articles that mention them. */
  readonly entities: readonly string[]
  /** URLs of its articles, newest first. */
  readonly urls: readonly string[]
}

/**
 * Stories that the public may discuss: those with at least three articles and one in the last 72 hours, ordered by
 * independent sources, then by articles.
 */
export async function echoTargets(store: Store, { namespace, as_of, limit }: TargetsQuery): Promise<TargetFacts[]> {
  const page = await storyPage(store, {
    namespace,
    from: as_of - ACTIVE_MS,
    as_of,
    words: [],
    min_sources: 0,
    min_articles: MIN_ARTICLES,
    min_assignment_confidence: 0,
    membership: '',
    languages: [],
    sort: 'coverage',
    after_rank: Number.MAX_VALUE,
    after_second_rank: 0,
    after_id: '',
    limit,
    offset: 0,
  })
  const ids = page.map(({ cluster_id }) => cluster_id)
  if (ids.length === 0) return []

  const [items, addresses] = await Promise.all([
    clusterItems(store)({ namespace, as_of, ids, max_entities: MAX_ENTITIES }),
    storyUrls(store)({ namespace, as_of, ids, max_urls: MAX_URLS }),
  ])
  const rows = new Map(items.map((row) => [row.cluster_id, row]))
  const urls = new Map(addresses.map((row) => [row.cluster_id, row.urls]))
  return ids.flatMap((cluster_id) => {
    const row = rows.get(cluster_id)
    if (row === undefined) return []
    const { title, article_count, origin_count: origins } = clusterItem(row)
    const last_published = Date.parse(row.updated_at)
    const entities = row.entities.map(({ name }) => name)
    return [{ cluster_id, title, article_count, origins, last_published, entities, urls: urls.get(cluster_id) ?? [] }]
  })
}
