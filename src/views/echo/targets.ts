import { z } from 'zod'
import type { TargetFacts } from '../../domain/platforms/target-facts.ts'
import type { Store } from '../../ports/store.ts'
import { belonging, CONCERNED_BY_IDS } from '../clusters/as-of.ts'
import { clusterItem, type ClusterRow } from '../clusters/item.ts'
import { clusterItems } from '../clusters/items.ts'
import { clusterPage } from '../clusters/list.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

const ACTIVE_MS = 72 * 3_600_000
/** Fewer say too little about a story's entities. */
const MIN_ARTICLES = 3
const MAX_ENTITIES = 8
const MAX_URLS = 20

/** Addresses of the articles of some stories as of a moment, the newest first: one row a story that has any. */
const storyUrls = query({
  name: 'echo.story_urls',
  sql: `
    WITH ${CONCERNED_BY_IDS},
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

interface TargetsQuery {
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly as_of: number
  /** At most some thousands: the ids travel in a question's address. */
  readonly limit: number
}

/**
 * Stories that the public may talk of: those of three articles and more with one in the last 72 hours. The most
 * independent accounts first, then the most articles.
 */
export async function echoTargets(
  store: Store,
  { namespace, as_of, limit }: TargetsQuery,
): Promise<readonly TargetFacts[]> {
  const page = await clusterPage(store)({
    ...{ namespace, as_of, limit, offset: 0, from: as_of - ACTIVE_MS },
    ...{ words: [], min_sources: 0, min_articles: MIN_ARTICLES, sort: 'coverage' },
    ...{ min_assignment_confidence: 0, membership: '' },
    ...{ after_rank: Number.MAX_VALUE, after_second_rank: 0, after_id: '' },
  })
  const ids = page.map(({ cluster_id }) => cluster_id)
  if (ids.length === 0) return []

  const [items, addresses] = await Promise.all([
    clusterItems(store)({ namespace, as_of, ids, max_entities: MAX_ENTITIES }),
    storyUrls(store)({ namespace, as_of, ids, max_urls: MAX_URLS }),
  ])
  const rows = new Map(items.map((row) => [row.cluster_id, row]))
  const urls = new Map(addresses.map((row) => [row.cluster_id, row.urls]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row === undefined ? [] : [targetOf(row, urls.get(id) ?? [])]
  })
}

function targetOf(row: ClusterRow, urls: readonly string[]): TargetFacts {
  const { id, title, article_count, origin_count, updated_at } = clusterItem(row)
  return {
    cluster_id: id,
    title,
    article_count,
    origins: origin_count,
    last_published: Date.parse(updated_at),
    entities: row.entities.map(({ name }) => name),
    urls,
  }
}
