import { z } from '@hono/zod-openapi'
import { nearestArticles, nearestTokens, type NearArticle, type NearToken } from '../../views/articles/nearest.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, float, integer, languages, orNow, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { inEnglishSpace, rankingsFor } from './rankings.ts'

const distance = z.number().describe('Cosine distance, 0 to 2.')

const SearchResult = z
  .object({
    article_id: z.string(),
    title: z.string().nullable(),
    source: z.string().nullable(),
    url: z.string().nullable(),
    published_date: timestamp.nullable(),
    quality_score: z.number(),
    language: z.string().describe('ISO 639-1 code; `und` if unknown.'),
    similarity_score: z.number().describe('1 - distance.'),
    distance,
    cluster_id: z.string().nullable().describe('Story of the article at `as_of`. `null` if it is in none.'),
  })
  .openapi('SearchResult')

const SearchResults = z
  .object({ query: z.string(), results: z.array(SearchResult), total: z.int() })
  .openapi('SearchResults')

const TokenResult = z
  .object({
    token_id: z.string(),
    text: z.string(),
    distance,
    metadata: z.object({
      title: z.string().nullable(),
      source: z.string().nullable(),
      url: z.string().nullable(),
      source_id: z.string().describe('Article that contains the token.'),
      published_date: timestamp.nullable(),
      importance: z.number().describe('Importance within the article, 0 to 1.'),
      entity_type: z.enum(['PERSON', 'ORG', 'GPE', 'LOC', 'O']).describe('`O` if the token is not part of an entity.'),
      pos_tag: z.string().describe('Universal Dependencies tag; `X` if unknown.'),
      context_sentiment: z.number().describe('Sentiment of the sentence, -1 to +1.'),
    }),
  })
  .openapi('TokenResult')

const TokenResults = z
  .object({ success: z.literal(true), query: z.string(), results_count: z.int(), results: z.array(TokenResult) })
  .openapi('TokenResults')

export const searchRoutes = (dependencies: Dependencies): readonly Route[] => [search(dependencies)]

const search = (dependencies: Dependencies): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Layer 0', tier: 'starter', cost: 'request', status: 200 },
      path: '/layer0/v1/search',
      operationId: 'searchArticles',
      summary: 'Search by meaning',
      description:
        'Returns the articles (`level=article`) or the tokens of articles (`level=token`) nearest in meaning ' +
        'to a query, ranked by cosine distance, nearest first. `total` is the number of results. With ' +
        '`level=article` each article appears once, and `cluster_id` is its story. A query in English, or too short ' +
        'to recognise its language, finds English articles first; articles in other languages follow if there are ' +
        'fewer than `limit`, with distances of another encoder that are not comparable with the first. A query in ' +
        'another language finds articles in every language. With `level=token` the tokens of the 200 articles ' +
        'nearest by the English encoder are ranked, so an article may appear several times. Only tokens of the title ' +
        'and the beginning of the body (126 word pieces) are indexed.',
      request: {
        query: z.object({
          query: z.string().max(2_000).trim().min(1),
          limit: integer({ min: 1, max: 100 }).default(10),
          min_quality: float({ min: 0, max: 1 }).default(0).describe('Quality score of the article.'),
          level: z.enum(['article', 'token']).default('article').describe('Whether articles or tokens are ranked.'),
          languages: languages('Only articles in these languages, and their tokens.'),
          as_of: asOf(),
        }),
      },
      answer: z.union([SearchResults, TokenResults]).openapi({}, { unionPreferredType: 'oneOf' }),
    },
    async ({ query: { query, level, as_of, ...filters } }, { caller: { namespace }, now }) => {
      const { store } = dependencies
      const params = { namespace, ...filters, as_of: orNow(as_of, now) }
      if (level === 'token') {
        const found = await nearestTokens(store, params, await inEnglishSpace(query, dependencies.encoder))
        return { success: true as const, query, results_count: found.length, results: found.map(tokenResult) }
      }
      const rankings = await rankingsFor(query, dependencies)
      const results = (await nearestArticles(store, params, rankings)).map(articleResult)
      return { query, results, total: results.length }
    },
  )

/** Returns only the fields of the schema; the view's row may have more. */
const articleResult = (near: NearArticle) => SearchResult.parse({ ...near, similarity_score: 1 - near.distance })

const tokenResult = ({ article, ...token }: NearToken) =>
  TokenResult.parse({ ...token, metadata: { ...article, ...token, source_id: article.article_id } })
