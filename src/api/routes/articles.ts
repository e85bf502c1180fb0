import { z } from '@hono/zod-openapi'
import { article, nearestArticles } from '../../views/articles/queries.ts'
import type { Dependencies } from '../dependencies.ts'
import { asOf, flag, float, integer, timestamp } from '../parameters.ts'
import { problem } from '../problem.ts'
import { defineRoute, type Route } from '../route.ts'

const Quality = z.object({
  rating: z.enum(['Excellent', 'Good', 'Medium', 'Low', 'Noise']),
  depth: z.number(),
  coherence: z.number(),
  credibility: z.number(),
  spam: z.number().openapi({ description: '1 is clean.' }),
})

const Article = z
  .object({
    article_id: z.string(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    source: z.string().nullable(),
    author: z.string().nullable(),
    published_date: timestamp.nullable(),
    quality_score: z.number().min(0).max(1),
    quality: Quality,
    semantic_hash: z.string().openapi({ description: '16 hex digits: equal for re-prints.' }),
    token_count: z.int(),
    language: z.string().openapi({ description: 'ISO 639-1, or `und`.' }),
    revision: z.int().min(1),
    is_duplicate_of: z.string().nullable().openapi({ description: 'The earliest article with the same body.' }),
    forwarded: z.boolean().openapi({ description: 'Whether it went on to Layer 1.' }),
    gate_reason: z.string().openapi({ description: '`passed`, `below_gate` or `private_bypass`.' }),
    created_at: timestamp,
    processed_at: timestamp.openapi({ description: 'Equal to created_at.' }),
    embedding_id: z.string().optional().openapi({ description: 'Absent where the vector itself stands.' }),
    embedding: z.array(z.number()).optional().openapi({ description: '384 numbers, with include_embedding=true.' }),
  })
  .openapi('Article')

const SearchResult = z
  .object({
    article_id: z.string(),
    title: z.string().nullable(),
    source: z.string().nullable(),
    url: z.string().nullable(),
    published_date: timestamp.nullable(),
    quality_score: z.number(),
    similarity_score: z.number().openapi({ description: '1 - distance.' }),
    distance: z.number().openapi({ description: 'Cosine distance, 0 to 2.' }),
  })
  .openapi('SearchResult')

const SearchResults = z
  .object({ query: z.string(), results: z.array(SearchResult), total: z.int() })
  .openapi('SearchResults')

const keyed = { method: 'get', tag: 'Layer 0', tier: 'starter', cost: 'request', status: 200 } as const

export const articleRoutes = ({ store, encoder }: Dependencies): readonly Route[] => [
  defineRoute(
    {
      ...keyed,
      path: '/layer0/v1/article/{article_id}',
      summary: 'One article in its newest revision',
      problems: ['article_not_found'],
      request: {
        params: z.object({ article_id: z.string() }),
        query: z.object({ include_embedding: flag().default(false), as_of: asOf() }),
      },
      answer: Article,
    },
    async ({ params: { article_id }, query: { include_embedding, as_of } }, { caller: { namespace }, now }) => {
      const [row] = await article(store)({ namespace, article_id, include_embedding, as_of: as_of ?? now })
      return row === undefined
        ? problem('article_not_found', `Article not found: ${article_id}`)
        : shown(row, include_embedding)
    },
  ),
  defineRoute(
    {
      ...keyed,
      path: '/layer0/v1/search',
      summary: 'The articles nearest in meaning to a query',
      description: 'Ranked by cosine distance of the embeddings, nearest first; `total` is the number of results.',
      request: {
        query: z.object({
          query: z.string().trim().min(1).max(2_000),
          limit: integer({ min: 1, max: 100 }).default(10),
          min_quality: float({ min: 0, max: 1 }).default(0),
          level: z.enum(['article']).default('article').openapi({ description: 'What is ranked: articles.' }),
          as_of: asOf(),
        }),
      },
      answer: SearchResults,
    },
    async ({ query: { query, limit, min_quality, as_of } }, { caller: { namespace }, now }) => {
      const [found] = await encoder.sentences([query])
      if (found === undefined) throw new Error('the encoder gave no vector for the query')
      const vector = Float32Array.from(found)
      const rows = await nearestArticles(store)({ namespace, vector, limit, min_quality, as_of: as_of ?? now })
      const results = rows.map((row) => ({ ...row, similarity_score: 1 - row.distance }))
      return { query, results, total: results.length }
    },
  ),
]

type ArticleRow = Awaited<ReturnType<ReturnType<typeof article>>>[number]

/** Only what the contract names leaves the house, whatever the view holds. */
function shown(row: ArticleRow, includeEmbedding: boolean): z.input<typeof Article> {
  const { article_id, title, url, source, author, published_date, semantic_hash, token_count, language } = row
  const { quality_score, revision, is_duplicate_of, forwarded, gate_reason, created_at } = row
  return {
    ...{ article_id, title, url, source, author, published_date, quality_score },
    quality: {
      rating: row.quality_rating,
      depth: row.quality_depth,
      coherence: row.quality_coherence,
      credibility: row.quality_credibility,
      spam: row.quality_spam,
    },
    ...{ semantic_hash, token_count, language, revision, is_duplicate_of, forwarded, gate_reason },
    created_at,
    processed_at: created_at,
    ...(includeEmbedding ? { embedding: row.embedding } : { embedding_id: row.embedding_id }),
  }
}
