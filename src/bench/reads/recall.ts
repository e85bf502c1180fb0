import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { byVector, nearestArticles, vectorParameter } from '../../views/articles/nearest.ts'
import { query } from '../../views/query.ts'

const LIMIT = 10
/** After every generated article. */
const ALWAYS_AFTER = Date.UTC(2100, 0)

/** The nearest articles by the distances of all vectors. */
const exactNearest = query({
  name: 'bench.exact_nearest',
  sql: `
    SELECT article_id
    FROM article_vectors
    WHERE namespace = {namespace: String}
    ORDER BY cosineDistance(vector, CAST(reinterpret(base64Decode({vector: String}), 'Array(Float32)'), 'Array(BFloat16)')), article_id
    LIMIT ${LIMIT}`,
  params: z.object({ vector: vectorParameter }),
  row: z.object({ article_id: z.string() }),
  maxSeconds: 60,
})

/** The share of the ten nearest articles, by a scan of all vectors, that a search finds. */
export async function recallAt10(
  store: Store,
  { namespace, vectors }: { readonly namespace: string; readonly vectors: readonly Float32Array[] },
): Promise<number> {
  let expected = 0
  let found = 0
  for (const vector of vectors) {
    const exact = await exactNearest(store)({ namespace, vector })
    const search = { namespace, as_of: ALWAYS_AFTER, min_quality: 0, limit: LIMIT }
    const searched = new Set((await nearestArticles(store, search, [byVector(vector)])).map((one) => one.article_id))
    expected += exact.length
    found += exact.filter(({ article_id }) => searched.has(article_id)).length
  }
  return found / expected
}
