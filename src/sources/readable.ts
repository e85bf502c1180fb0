import { z } from 'zod'
import type { Store } from '../ports/store.ts'
import { query } from '../views/query.ts'

/**
 * Articles that every view has which gets them: Layer 0's always; Layer 1's and Layer 2's too when the article was
 * forwarded. Article id to the number of its contents that are readable so; absent: none.
 */
export async function readable(
  store: Store,
  namespace: string,
  articleIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await readableContents(store)({ namespace, article_ids: [...articleIds] })
  return new Map(rows.map(({ article_id, contents }) => [article_id, contents]))
}

const readableContents = query({
  name: 'readable_contents',
  sql: `
    SELECT article_id, uniqExact(content_hash) AS contents
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
  row: z.object({ article_id: z.string(), contents: z.coerce.number() }),
})
