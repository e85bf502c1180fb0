import { z } from '@hono/zod-openapi'
import { clusterChanges } from '../../views/clusters/feed.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, moment, orNull, paging, sentimentScore, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterEvolution, MAX_POINTS, TooFine } from '../../views/clusters/evolution.ts'
import { problem, validationFailed } from '../http/problem.ts'
import { clusterNotFound, clusterPath, changeFields } from './parts.ts'
import { memberWhy } from '../../views/clusters/decisions.ts'

const keyed = { method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 } as const

const ClusterChange = z
  .object({
    id: z.string().describe('The same each time the change is returned.'),
    type: z.enum([
      'cluster.opened',
      'cluster.grown',
      'cluster.merged',
      'cluster.split',
      'cluster.settled',
      'cluster.moved',
      'cluster.corrected',
    ]),
    occurred_at: timestamp.describe('Event time.'),
    data: z.object({
      cluster_id: z.string().describe('The story; if articles moved, the story they joined.'),
      from_cluster_id: z.string().nullable().describe('Story that the articles left.'),
      article_ids: z
        .array(z.string())
        .describe('Articles that joined; for `cluster.settled`, all articles of the story.'),
      correction_id: z.string().nullable(),
      correction_action: z.string().nullable(),
    }),
  })
  .openapi('ClusterChange')

const ClusterChanges = z
  .object({
    changes: z.array(ClusterChange),
    next_cursor: z.string().describe('Send it as `cursor` to retrieve later changes. Always present.'),
    has_more: z.boolean(),
  })
  .openapi('ClusterChanges')

export const clusterChangesRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters/changes',
      operationId: 'listClusterChanges',
      summary: 'List cluster changes',
      description:
        'Returns the changes of stories in the order in which they were decided, from the first one. Keep ' +
        '`next_cursor` and continue from it at any time: no change between two pages is skipped.',
      request: {
        query: z.object({
          ...paging({ limit: 100, max: 1_000 }),
          as_of: moment().optional().describe('Only changes up to this point in time (event time). Default: all.'),
        }),
      },
      answer: ClusterChanges,
    },
    ({ query: { cursor, limit, as_of } }, { caller: { namespace } }) =>
      clusterChanges(store, { namespace, cursor, limit, as_of: as_of ?? null }),
  )

const Point = z
  .object({
    time: timestamp.describe('Start of the bucket.'),
    articles_added: z.int(),
    article_count: z.int().describe('Total up to the end of the bucket, as are `source_count` and `origin_count`.'),
    source_count: z.int(),
    origin_count: z.int(),
    new_sources: z.array(z.string()),
    new_entities: z
      .array(z.object({ id: z.string(), name: z.string(), type: z.string() }))
      .describe('Entities mentioned for the first time; the 50 most mentioned.'),
    sentiment: z
      .object({
        avg: sentimentScore.nullable(),
        distribution: z.object({ positive: z.int(), neutral: z.int(), negative: z.int() }),
      })
      .describe('Of the articles published in the bucket; `avg` is `null` if there are none.'),
  })
  .openapi('EvolutionPoint')

const Evolution = z
  .object({
    cluster_id: z.string(),
    resolution: z.string(),
    points: z.array(Point).describe('Every bucket from the first article to the last.'),
    truncated: z.boolean().openapi({
      description:
        `\`true\` if the story spans more than ${MAX_POINTS} days: only the last ones are returned, with ` +
        'counts over the whole story.',
    }),
    events: z.array(z.object({ ...changeFields, time: timestamp }).openapi('EvolutionEvent')),
  })
  .openapi('Evolution')

export const clusterEvolutionRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters/{cluster_id}/evolution',
      operationId: 'getClusterEvolution',
      summary: 'Retrieve the evolution of a cluster',
      description:
        'Returns the counts of articles and sources and the sentiment over time, and the merges and splits of the story.',
      problems: ['cluster_not_found'],
      request: {
        params: z.object({ cluster_id: clusterPath }),
        query: z.object({ resolution: z.enum(['1h', '6h', '1d']).default('1d'), as_of: asOf() }),
      },
      answer: Evolution,
    },
    async ({ params: { cluster_id }, query: { resolution, as_of } }, { caller: { namespace }, now }) => {
      const found = await clusterEvolution(store, { namespace, cluster_id, resolution, as_of: as_of ?? now })
      if (found === null) return clusterNotFound(cluster_id)
      if (!(found instanceof TooFine)) return found
      const message = `this story has more than ${MAX_POINTS} buckets of ${resolution}: ask for ${found.finest}`
      return validationFailed([{ path: 'resolution', message }])
    },
  )

const Candidate = z
  .object({ cluster_id: z.string(), score: z.number(), features: z.record(z.string(), z.number()) })
  .openapi('Candidate')

const MembershipReason = z
  .object({
    cluster_id: z.string(),
    article_id: z.string(),
    event_id: z.string(),
    decided_at: timestamp,
    action: z.string().openapi({
      description:
        '`opened`, `joined` or `revised` on arrival of the article; `merged`, `split`, `moved` or ' +
        '`corrected` when stories changed.',
    }),
    rule: z.string().openapi({
      description:
        'Rule of the decision: `link`, highest score above the threshold; `copy`, story of the article it ' +
        'reprints; `linkage`, mean score between two groups of articles above the threshold; `curator`, ' +
        'correction by a curator; `reprocessed`, assigned by a new version of the clusterer; `kept`, revision ' +
        'of an article that the clusterer no longer has in memory.',
    }),
    chosen: orNull(Candidate).describe('`null` if no story scored; the article opened its own.'),
    runner_up: orNull(Candidate).describe('Second-best story. `null` if there was none.'),
    threshold: z.number().describe('A score above the threshold joins.'),
    versions: z.record(z.string(), z.string()),
    articles: z.int().describe('Number of articles decided together.'),
    correction_id: z.string().nullable().describe('For `corrected`: id of the correction.'),
    rebuild_day: z
      .string()
      .nullable()
      .describe(
        'Day that was reclustered, such as `2018-12-31`. `null` if the decision was made on arrival or by a ' +
          'curator.',
      ),
  })
  .openapi('MembershipReason')

export const clusterWhyRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/v1/clusters/{cluster_id}/members/{article_id}/why',
      operationId: 'explainMembership',
      summary: 'Explain a membership',
      description:
        'Returns the recorded decision that placed the article in the story. Evaluating it again with these ' +
        'features gives the same choice.',
      problems: ['cluster_not_found', 'article_not_found'],
      request: {
        params: z.object({ cluster_id: clusterPath, article_id: z.string() }),
        query: z.object({ as_of: asOf() }),
      },
      answer: MembershipReason,
    },
    async ({ params, query: { as_of } }, { caller: { namespace }, now }) => {
      const found = await memberWhy(store, { ...params, namespace, as_of: as_of ?? now })
      if (found === 'no story') return clusterNotFound(params.cluster_id)
      if (found !== 'no member') return found
      return problem('article_not_found', `Article not found in ${params.cluster_id}: ${params.article_id}`)
    },
  )
