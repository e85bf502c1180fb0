import { z } from 'zod'
import type { Store } from '../ports/store.ts'
import { query } from '../views/query.ts'

/**
 * Articles that every view has which gets them: Layer 0's always; Layer 1's and Layer 2's too when the article was
 * forwarded. Article id to the contents (their hashes) that are readable so; absent: none.
 */
export async function readable(
  store: Store,
  namespace: string,
  articleIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await readableContents(store)({ namespace, article_ids: [...articleIds] })
  return new Map(rows.map(({ article_id, content_hashes }) => [article_id, new Set(content_hashes)]))
}

const readableContents = query({
  name: 'readable_contents',
  sql: `
    SELECT article_id, groupUniqArray(content_hash) AS content_hashes
    FROM articles
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      AND (NOT forwarded OR ((article_id, content_hash) IN (
        SELECT article_id, content_hash
        FROM analyzed_articles
        WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)} AND NOT direct
      ) AND (article_id, content_hash) IN (
        SELECT article_id, content_hash
        FROM cluster_decisions
        WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      )))
    GROUP BY article_id`,
  params: z.object({ article_ids: z.array(z.string()) }),
  row: z.object({ article_id: z.string(), content_hashes: z.array(z.string()) }),
})
