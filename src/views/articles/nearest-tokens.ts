import { z } from 'zod'
import { tokenId } from '../../events/ids.ts'
import type { Store } from '../../ports/store.ts'
import { nearestRevisions, shown, vectorParameter, type NearestArticlesQuery, type ShownArticle } from './nearest.ts'
import { query } from '../query.ts'

/** Tokens of certain revisions, nearest to a vector first. A place in the log distinguishes revisions and repeats; a repeated insert is one row. */
const tokensOf = query({
  name: 'articles.tokens',
  sql: `
    SELECT
      article_id, content_hash, ordinal, text, pos_tag, entity_type, importance, context_sentiment,
      cosineDistance(
        vector, CAST(reinterpret(base64Decode({vector: String}), 'Array(Float32)'), 'Array(BFloat16)')
      ) AS distance
    FROM tokens
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      AND _offset IN {offsets: Array(UInt64)}
    ORDER BY distance, article_id, ordinal
    LIMIT 1 BY article_id, ordinal
    LIMIT {limit: UInt32}`,
  params: z.object({
    vector: vectorParameter,
    article_ids: z.array(z.string()),
    offsets: z.array(z.number()),
    limit: z.int(),
  }),
  row: z.object({
    article_id: z.string(),
    content_hash: z.string(),
    ordinal: z.int(),
    text: z.string(),
    pos_tag: z.string(),
    entity_type: z.enum(['PERSON', 'ORG', 'GPE', 'LOC', 'O']),
    importance: z.number(),
    context_sentiment: z.number(),
    distance: z.number(),
  }),
})

export type NearToken = Awaited<ReturnType<ReturnType<typeof tokensOf>>>[number] & {
  readonly token_id: string
  /** The one it stands in. */
  readonly article: ShownArticle
}

/** Whose tokens are compared: those of so many articles, the nearest. */
const ARTICLES = 200

/** The tokens nearest to a vector, among those of the nearest articles; an article may show several times. */
export async function nearestTokens(store: Store, params: NearestArticlesQuery): Promise<readonly NearToken[]> {
  const { namespace, vector, limit } = params
  const revisions = await nearestRevisions(store, { ...params, limit: ARTICLES })
  if (revisions.length === 0) return []

  const tokens = await tokensOf(store)({
    namespace,
    vector,
    limit,
    article_ids: revisions.map(({ article_id }) => article_id),
    offsets: revisions.map(({ offset }) => offset),
  })
  const articles = await shown(store, params, tokens)
  return tokens.flatMap((token) => {
    const { article_id, content_hash, ordinal } = token
    const article = articles.get(article_id)
    if (article === undefined) return []
    return [{ ...token, article, token_id: tokenId(article_id, content_hash, ordinal) }]
  })
}
