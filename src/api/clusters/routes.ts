import { z } from '@hono/zod-openapi'
import { clusterDetail } from '../../views/clusters/detail.ts'
import { clusterList } from '../../views/clusters/list.ts'
import type { Dependencies } from '../http/dependencies.ts'
import {
  asOf,
  genre,
  integer,
  languages,
  quotedLanguages,
  nextCursor,
  paging,
  pointInTime,
  share,
  timeRange,
  timestamp,
} from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterChangesRoute, clusterEvolutionRoute, clusterWhyRoute } from './history.ts'
import { clusterNotFound, certaintyQuery, clusterFields, clusterPath, changeFields } from './parts.ts'

const Clusters = z
  .object({
    clusters: z.array(z.object(clusterFields).openapi('Cluster')),
    total: z.int(),
    page: z.int(),
    next_cursor: nextCursor,
  })
  .openapi('Clusters')

const ClusterEntity = z
  .object({ id: z.string(), name: z.string(), mention_count: z.int(), article_count: z.int() })
  .openapi('ClusterEntity')

const Translation = z
  .object({
    length_distance: z
      .number()
      .describe('Difference of the sentence lengths, as shares of each text: 0 (equal, one after the other) to 2.'),
    sentences: z.int().describe('Number of sentences of the text with fewer.'),
    shared_numerals: z.int().describe('Numerals that both texts have in the same order.'),
    numerals: z.int().describe('Numerals of the text with more.'),
  })
  .openapi('Translation')

const ClusterMember = z
  .object({
    article_id: z.string(),
    title: z.string().nullable(),
    source: z.string().nullable(),
    url: z.string().nullable(),
    published_date: timestamp.nullable(),
    genre,
    language: z.string().describe('ISO 639-1 code; `und` if unknown.'),
    similarity: z.number().describe('Similarity to the centroid, -1 to 1.'),
    assignment_confidence: share
      .nullable()
      .optional()
      .describe(
        'Calibrated probability that the next recluster keeps the article in this story. `null` for ' +
          'articles assigned before this was recorded.',
      ),
    is_duplicate_of: z.string().nullable().describe('Article whose text it reprints.'),
    derived_from: z.string().nullable().describe('Article that it quotes or rewrites at length, or translates.'),
    translation: Translation.nullable()
      .optional()
      .describe('Why it counts as a translation of `derived_from`. `null` if it does not.'),
    publisher_family: z.string().nullable().describe('Publisher of the outlet. `null` if unknown.'),
    origin: z
      .string()
      .describe('Independent source of the article; members of one source count once in `origin_count`.'),
  })
  .openapi('ClusterMember')

const QuotedSentence = z
  .object({
    sentence: z.string(),
    article_id: z.string(),
    sentence_index: z.int().describe('Position in the article, from 0.'),
    dates: z
      .array(z.object({ text: z.string(), start: z.string(), end: z.string() }))
      .optional()
      .describe(
        'UTC days that relative dates such as "Tuesday" or "yesterday" refer to, based on the article\'s date.',
      ),
  })
  .openapi('QuotedSentence')

const ClusterEvent = z
  .object({
    ...changeFields,
    at: timestamp,
    article_id: z.string().nullable().describe('For `opened`: the first article.'),
    moved: z
      .array(z.object({ article_id: z.string(), title: z.string().nullable() }))
      .optional()
      .describe('The first three articles that joined or left the story.'),
    correction_id: z.string().nullable(),
  })
  .openapi('ClusterEvent')

const entitiesOfType = z.array(ClusterEntity)

const ListedStory = z
  .object({ id: z.string(), title: z.string(), article_count: z.int(), updated_at: timestamp })
  .openapi('ListedStory')

export const clusterDetailFields = {
  ...clusterFields,
  subject_id: z.string().nullable().optional().openapi({
    description:
      'Id of the subject page that lists most of the members; retrieve it with `GET /v1/clusters/{id}`. `null` if there is none.',
  }),
  stories: z.array(ListedStory).optional().openapi({
    description: 'For a subject page: the stories of its articles, newest first, at most 100.',
  }),
  summary: z
    .array(QuotedSentence)
    .describe('Sentences quoted from central reports: first what happened, then details, oldest first.'),
  representative_article_id: z.string().openapi({
    description: "Article near the centroid whose headline is the story's title. Reports are preferred.",
  }),
  first_published: timestamp.nullable(),
  last_published: timestamp.nullable(),
  entities: z.object({
    PERSON: entitiesOfType,
    ORG: entitiesOfType,
    GPE: entitiesOfType,
    LOC: entitiesOfType,
    EVENT: entitiesOfType,
  }),
  members: z.array(ClusterMember),
  history: z.array(ClusterEvent).describe('Merges, splits, moves and corrections, oldest first.'),
  split_into: z.array(z.string()).describe('Stories split from this one.'),
  merged_into: z
    .string()
    .nullable()
    .describe(
      'If the requested story was merged into another: the id of that story, which is returned. Otherwise `null`.',
    ),
  merged_at: timestamp.nullable(),
}

const ClusterDetail = z.object(clusterDetailFields).openapi('ClusterDetail')

const keyed = { method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 } as const

export const clusterRoutes = (dependencies: Dependencies): readonly Route[] => [
  list(dependencies),
  clusterChangesRoute(dependencies),
  detail(dependencies),
  clusterEvolutionRoute(dependencies),
  clusterWhyRoute(dependencies),
]

/** Filters and sort order of every list of stories. */
export const clusterQuery = {
  topic: z.string().max(200).trim().min(1).optional().openapi({
    description: 'Returns stories with at least one article whose title or entity names contain all these words.',
  }),
  min_sources: integer({ min: 0, max: 10_000 }).default(1),
  min_articles: integer({ min: 0, max: 10_000 }).default(2),
  ...certaintyQuery,
  languages: languages('Only stories with at least one article in one of these languages.'),
  kind: z
    .enum(['event', 'subject'])
    .default('event')
    .describe(
      '`subject` lists subject pages instead of stories: articles that share a subject but not an event. A page ' +
        'covers at most its newest 2,000 articles.',
    ),
  time_range: timeRange('24h'),
  sort: z.enum(['relevance', 'recency', 'coverage']).default('relevance').openapi({
    description: '`coverage` sorts by independent sources, then articles; `recency` by the last article.',
  }),
  ...paging({ limit: 20, max: 100 }),
  page: integer({ min: 1, max: 100_000 }).default(1),
  as_of: asOf(),
}

const list = ({ store, summaryModel }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters',
      operationId: 'listClusters',
      summary: 'List clusters',
      description:
        'Returns the clusters (stories) with at least one article in the `time_range` before `as_of`. All pages ' +
        'of one cursor show the same point in time.',
      request: { query: z.object(clusterQuery) },
      answer: Clusters,
    },
    async ({ query: { time_range, topic, as_of, cursor, ...query } }, { caller: { namespace }, now }) => {
      const params = { ...query, ...pointInTime(as_of, now), namespace, window_ms: time_range.ms }
      return clusterList(store, { ...params, topic: topic ?? null, cursor }, summaryModel)
    },
  )

const detail = ({ store, summaryModel }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters/{cluster_id}',
      operationId: 'getCluster',
      summary: 'Retrieve a cluster',
      description:
        'Returns a story with its members and entities. The id of a subject page returns that page: it has ' +
        '`stories`, but no summary and no history.',
      problems: ['cluster_not_found'],
      request: {
        params: z.object({ cluster_id: clusterPath }),
        query: z.object({ as_of: asOf(), languages: quotedLanguages() }),
      },
      answer: ClusterDetail,
    },
    async ({ params: { cluster_id }, query: { as_of, languages } }, { caller: { namespace }, now }) => {
      const params = { namespace, cluster_id, as_of: as_of ?? now, languages }
      const found = await clusterDetail(store, params, summaryModel)
      return found ?? clusterNotFound(cluster_id)
    },
  )
