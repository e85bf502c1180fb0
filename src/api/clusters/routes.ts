import { z } from '@hono/zod-openapi'
import { clusterDetail } from '../../views/clusters/detail.ts'
import { clusterList } from '../../views/clusters/list.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { genre } from '../http/genre.ts'
import { asOf, integer, nextCursor, paging, timeRange, timestamp } from '../http/parameters.ts'
import { problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterChangesRoute } from './changes.ts'
import { clusterEvolutionRoute } from './evolution.ts'
import { certaintyQuery, clusterFields, clusterPath, happened } from './parts.ts'
import { clusterWhyRoute } from './why.ts'

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

const ClusterMember = z
  .object({
    article_id: z.string(),
    title: z.string().nullable(),
    source: z.string().nullable(),
    url: z.string().nullable(),
    published_date: timestamp.nullable(),
    genre,
    similarity: z.number().openapi({ description: 'To the centre, -1 to 1.' }),
    assignment_confidence: z.number().min(0).max(1).nullable().optional().openapi({
      description:
        'Calibrated probability that the daily recluster leaves the article in this story; once it has settled, that the next one does. Null: placed before it was kept.',
    }),
    is_duplicate_of: z.string().nullable().openapi({ description: 'The article whose text it re-prints.' }),
    derived_from: z.string().nullable().openapi({ description: 'The article it quotes or rewrites at length.' }),
    publisher_family: z
      .string()
      .nullable()
      .openapi({ description: 'The house its outlet belongs to; null: not known.' }),
    origin: z.string().openapi({
      description: 'The independent account it belongs to: members of one count once in `origin_count`.',
    }),
  })
  .openapi('ClusterMember')

const QuotedSentence = z
  .object({
    sentence: z.string(),
    article_id: z.string(),
    sentence_index: z.int().openapi({ description: 'Place in the article, from 0.' }),
    dates: z
      .array(z.object({ text: z.string(), start: z.string(), end: z.string() }))
      .optional()
      .openapi({
        description: 'UTC days that "Tuesday" or "yesterday" in the sentence are, by the date of its article.',
      }),
  })
  .openapi('QuotedSentence')

const ClusterEvent = z
  .object({
    ...happened,
    at: timestamp,
    article_id: z.string().nullable().openapi({ description: 'Of `opened`: the first article.' }),
    moved: z
      .array(z.object({ article_id: z.string(), title: z.string().nullable() }))
      .optional()
      .openapi({ description: 'The first three articles that came into the story or left it.' }),
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
    description: 'The subject page that lists most of its members; null: none does. `GET /v1/clusters/{id}` shows it.',
  }),
  stories: z.array(ListedStory).optional().openapi({
    description: 'Of a subject page: the stories of its articles, at most 100, the newest first.',
  }),
  summary: z.array(QuotedSentence).openapi({
    description: 'Sentences of reports at the core, word for word: first what happened, then more of it, oldest first.',
  }),
  representative_article_id: z
    .string()
    .openapi({ description: 'A report near the centre, whose headline is the title.' }),
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
  history: z.array(ClusterEvent).openapi({ description: 'What happened to it beside its growing, oldest first.' }),
  split_into: z.array(z.string()).openapi({ description: 'Stories that were split off this one.' }),
  merged_into: z.string().nullable().openapi({
    description:
      'Where the id asked for is of a story that went into another: the id of that one, which is shown. Else null.',
  }),
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

/** What every list of stories can be narrowed and ordered by. */
export const clusterQuery = {
  topic: z.string().max(200).trim().min(1).optional().openapi({
    description: 'Words that must all stand in the title or the entity names of one member.',
  }),
  min_sources: integer({ min: 0, max: 10_000 }).default(1),
  min_articles: integer({ min: 0, max: 10_000 }).default(2),
  ...certaintyQuery,
  kind: z.enum(['event', 'subject']).default('event').openapi({
    description:
      '`subject`: subject pages in place of stories. Each counts and lists its newest 2,000 articles at most.',
  }),
  time_range: timeRange('24h'),
  sort: z.enum(['relevance', 'recency', 'coverage']).default('relevance').openapi({
    description: '`coverage`: independent accounts, then articles. `recency`: the last article.',
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
      summary: 'Stories with news in a window of time',
      description: 'The window ends at `as_of`. Pages of one cursor are of one moment.',
      request: { query: z.object(clusterQuery) },
      answer: Clusters,
    },
    async ({ query: { time_range, topic, as_of, cursor, ...query } }, { caller: { namespace }, now }) => {
      const at = { namespace, as_of: as_of ?? now, as_of_given: as_of !== undefined, window_ms: time_range.ms }
      return clusterList(store, { ...query, ...at, topic: topic ?? null, cursor }, summaryModel)
    },
  )

const detail = ({ store, summaryModel }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters/{cluster_id}',
      operationId: 'getCluster',
      summary: 'One story with its members and entities',
      description: 'Also a subject page, by its id: it has `stories`, and neither summary nor history.',
      problems: ['cluster_not_found'],
      request: { params: z.object({ cluster_id: clusterPath }), query: z.object({ as_of: asOf() }) },
      answer: ClusterDetail,
    },
    async ({ params: { cluster_id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const found = await clusterDetail(store, { namespace, cluster_id, as_of: as_of ?? now }, summaryModel)
      return found ?? problem('cluster_not_found', `Cluster not found: ${cluster_id}`)
    },
  )
