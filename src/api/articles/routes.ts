import { z } from '@hono/zod-openapi'
import { articleList } from './list.ts'
import { articleDetail, type ArticleDetail } from '../../views/articles/detail.ts'
import { ARTICLE_FACTS, embedding } from '../../views/articles/queries.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, flag, genre, orNow, share, timestamp } from '../http/parameters.ts'
import { problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'

const Quality = z.object({
  rating: z.enum(['Excellent', 'Good', 'Medium', 'Low', 'Noise']),
  depth: z.number(),
  coherence: z.number(),
  credibility: z.number(),
  spam: z.number().describe('`1` is clean.'),
})

const Article = z
  .object({
    article_id: z.string(),
    ...ARTICLE_FACTS,
    published_date: timestamp.nullable(),
    quality_score: share,
    quality: Quality,
    genre,
    revision: z.int().min(1),
    is_duplicate_of: z.string().nullable().describe('Earliest article of the syndication group.'),
    syndication_group: z
      .string()
      .nullable()
      .describe('The same for all reprints of one text. `null` if there are none.'),
    derived_from: z.string().nullable().describe('Article that it quotes, rewrites or translates.'),
    subject_id: z.string().nullable().optional().openapi({
      description: 'Subject page that lists the article, in addition to its story. `null` if there is none.',
    }),
    created_at: timestamp,
    processed_at: timestamp.describe('Equal to `created_at`.'),
    embedding_id: z.string().optional().describe('Absent if `embedding` is present.'),
    embedding: z.array(z.number()).optional().describe('384 numbers; present with `include_embedding=true`.'),
  })
  .openapi('Article')

const Embedding = z
  .object({
    embedding_id: z.string(),
    article_id: z.string(),
    revision: z.int().min(1).describe('Revision of the article that the vector was computed from.'),
    model: z.string().openapi({
      description:
        'Model (hash of its file, or name at an endpoint) and pooling method. Compare only vectors with equal ' +
        '`model`.',
    }),
    dim: z.int(),
    embedding: z.array(z.number()),
  })
  .openapi('Embedding')

const keyed = { method: 'get', tag: 'Layer 0', tier: 'starter', cost: 'request', status: 200 } as const

export const articleRoutes = ({ store }: Dependencies): readonly Route[] => [
  articleList({ store }),
  defineRoute(
    {
      ...keyed,
      path: '/layer0/v1/article/{article_id}',
      operationId: 'getArticle',
      summary: 'Retrieve an article',
      description:
        'Returns the newest revision of an article as of a point in time: its metadata, quality and origin, but ' +
        'not its text. Articles below the quality gate are returned too.',
      problems: ['article_not_found'],
      request: {
        params: z.object({ article_id: z.string() }),
        query: z.object({ include_embedding: flag().default(false), as_of: asOf() }),
      },
      answer: Article,
    },
    async ({ params: { article_id }, query: { include_embedding, as_of } }, { caller: { namespace }, now }) => {
      const params = { namespace, article_id, include_embedding, as_of: orNow(as_of, now) }
      const detail = await articleDetail(store, params)
      return detail === undefined
        ? problem('article_not_found', `Article not found: ${article_id}`)
        : shown(detail, include_embedding)
    },
  ),
  defineRoute(
    {
      ...keyed,
      path: '/layer0/v1/embeddings/{embedding_id}',
      operationId: 'getEmbedding',
      summary: 'Retrieve an embedding',
      description: 'Returns the vector of one revision of an article, by the `embedding_id` of the article.',
      problems: ['embedding_not_found'],
      request: { params: z.object({ embedding_id: z.string() }) },
      answer: Embedding,
    },
    async ({ params: { embedding_id } }, { caller: { namespace } }) => {
      const [found] = await embedding(store)({ namespace, embedding_id })
      return found === undefined
        ? problem('embedding_not_found', `Embedding not found: ${embedding_id}`)
        : { ...found, dim: found.embedding.length }
    },
  ),
]

/** Returns only the fields of the schema; the view's row may have more. */
const shown = (
  { embedding_id, embedding, ...row }: ArticleDetail,
  includeEmbedding: boolean,
): z.output<typeof Article> =>
  Article.parse({
    ...row,
    quality: {
      rating: row.quality_rating,
      depth: row.quality_depth,
      coherence: row.quality_coherence,
      credibility: row.quality_credibility,
      spam: row.quality_spam,
    },
    processed_at: row.created_at,
    ...(includeEmbedding ? { embedding } : { embedding_id }),
  })
