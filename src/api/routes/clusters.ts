import { z } from '@hono/zod-openapi'
import { clusterDetail, memberWhy } from '../../views/clusters/detail.ts'
import { clusterList } from '../../views/clusters/list.ts'
import type { Dependencies } from '../dependencies.ts'
import { asOf, integer, nextCursor, paging, timeRange, timestamp } from '../parameters.ts'
import { problem } from '../problem.ts'
import { defineRoute, type Route } from '../route.ts'

const share = z.number().min(0).max(1)

const item = {
  id: z.string(),
  title: z.string().openapi({ description: 'Of the article nearest to the centre of the story.' }),
  article_count: z.int(),
  source_count: z.int(),
  confidence: share.openapi({ description: 'Mean similarity of the members to the centre.' }),
  created_at: timestamp.openapi({ description: 'Event time of the first member.' }),
  updated_at: timestamp.openapi({ description: 'Event time of the last member.' }),
  primary_entities: z.array(z.string()).openapi({ description: 'Entity ids, best first.' }),
  sentiment_distribution: z
    .object({ positive: share, neutral: share, negative: share })
    .openapi({ description: 'Shares of the members; they sum to 1.' }),
  articles: z.array(z.string()).openapi({ description: 'Article ids, oldest first.' }),
}

const Clusters = z
  .object({
    clusters: z.array(z.object(item).openapi('Cluster')),
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
    similarity: z.number().openapi({ description: 'To the centre, -1 to 1.' }),
    is_duplicate_of: z.string().nullable().openapi({ description: 'The first member with the same body.' }),
  })
  .openapi('ClusterMember')

const entitiesOfType = z.array(ClusterEntity)

const ClusterDetail = z
  .object({
    ...item,
    membership: z.enum(['provisional', 'settled']),
    representative_article_id: z.string().openapi({ description: 'The member nearest to the centre.' }),
    origin_count: z.int().openapi({ description: 'Independent texts: re-prints of one count once.' }),
    publisher_count: z.int(),
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
    history: z.array(z.object({ type: z.string(), at: timestamp, article_id: z.string() })),
  })
  .openapi('ClusterDetail')

const Candidate = z
  .object({ cluster_id: z.string(), score: z.number(), features: z.record(z.string(), z.number()) })
  .openapi('Candidate')

const MembershipReason = z
  .object({
    cluster_id: z.string(),
    article_id: z.string(),
    event_id: z.string(),
    decided_at: timestamp,
    action: z.string().openapi({ description: '`opened`, `joined` or `revised`.' }),
    chosen: Candidate.nullable().openapi({ description: 'Null: there was no story to choose; it opened its own.' }),
    runner_up: Candidate.nullable(),
    threshold: z.number().openapi({ description: 'A score above it joins.' }),
    versions: z.record(z.string(), z.string()),
  })
  .openapi('MembershipReason')

const keyed = { method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 } as const

export const clusterRoutes = (dependencies: Dependencies): readonly Route[] => [
  list(dependencies),
  detail(dependencies),
  why(dependencies),
]

const list = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters',
      summary: 'Stories with news in a window of time',
      description: 'The window ends at `as_of`. Pages of one cursor are of one moment.',
      request: {
        query: z.object({
          topic: z.string().trim().min(1).max(200).optional().openapi({
            description: 'Words that must all stand in the title or the entity names of one member.',
          }),
          min_sources: integer({ min: 0, max: 10_000 }).default(1),
          min_articles: integer({ min: 0, max: 10_000 }).default(2),
          time_range: timeRange('24h'),
          sort: z.enum(['relevance', 'recency', 'coverage']).default('relevance'),
          ...paging({ limit: 20, max: 100 }),
          page: integer({ min: 1, max: 100_000 }).default(1),
          as_of: asOf(),
        }),
      },
      answer: Clusters,
    },
    async ({ query: { time_range, topic, as_of, cursor, ...query } }, { caller: { namespace }, now }) => {
      const at = { namespace, as_of: as_of ?? now, as_of_given: as_of !== undefined, window_ms: time_range.ms }
      return await clusterList(store, { ...query, ...at, topic: topic ?? null, cursor })
    },
  )

const detail = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters/{cluster_id}',
      summary: 'One story with its members and entities',
      problems: ['cluster_not_found'],
      request: { params: z.object({ cluster_id: z.string() }), query: z.object({ as_of: asOf() }) },
      answer: ClusterDetail,
    },
    async ({ params: { cluster_id }, query: { as_of } }, { caller: { namespace }, now }) => {
      const found = await clusterDetail(store, { namespace, cluster_id, as_of: as_of ?? now })
      return found ?? problem('cluster_not_found', `Cluster not found: ${cluster_id}`)
    },
  )

const why = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters/{cluster_id}/members/{article_id}/why',
      summary: 'Why an article is in a story',
      description: 'The recorded decision; making it again from these features gives the same choice.',
      problems: ['cluster_not_found', 'article_not_found'],
      request: {
        params: z.object({ cluster_id: z.string(), article_id: z.string() }),
        query: z.object({ as_of: asOf() }),
      },
      answer: MembershipReason,
    },
    async ({ params, query: { as_of } }, { caller: { namespace }, now }) => {
      const wanted = { ...params, namespace, as_of: as_of ?? now }
      const found = await memberWhy(store, wanted)
      if (found !== null) return found
      return (await clusterDetail(store, wanted)) === null
        ? problem('cluster_not_found', `Cluster not found: ${params.cluster_id}`)
        : problem('article_not_found', `Article not found in ${params.cluster_id}: ${params.article_id}`)
    },
  )
