import { z } from '@hono/zod-openapi'
import { clusterEvolution, MAX_POINTS, TooFine } from '../../views/clusters/evolution.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { asOf, timestamp } from '../http/parameters.ts'
import { problem, validationFailed } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { clusterPath, happened } from './parts.ts'

const Point = z
  .object({
    time: timestamp.describe('Start of the bucket.'),
    articles_added: z.int(),
    article_count: z.int().describe('Cumulative up to the end of the bucket, like the two fields below.'),
    source_count: z.int(),
    origin_count: z.int(),
    new_sources: z.array(z.string()),
    new_entities: z
      .array(z.object({ id: z.string(), name: z.string(), type: z.string() }))
      .describe('Entities mentioned for the first time; the 50 most mentioned.'),
    sentiment: z
      .object({
        avg: z.number().min(-1).max(1).nullable(),
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
    events: z.array(z.object({ ...happened, time: timestamp }).openapi('EvolutionEvent')),
  })
  .openapi('Evolution')

export const clusterEvolutionRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/clusters/{cluster_id}/evolution',
      operationId: 'getClusterEvolution',
      summary: 'Retrieve the evolution of a cluster',
      problems: ['cluster_not_found'],
      request: {
        params: z.object({ cluster_id: clusterPath }),
        query: z.object({ resolution: z.enum(['1h', '6h', '1d']).default('1d'), as_of: asOf() }),
      },
      answer: Evolution,
    },
    async ({ params: { cluster_id }, query: { resolution, as_of } }, { caller: { namespace }, now }) => {
      const found = await clusterEvolution(store, { namespace, cluster_id, resolution, as_of: as_of ?? now })
      if (found === null) return problem('cluster_not_found', `Cluster not found: ${cluster_id}`)
      if (!(found instanceof TooFine)) return found
      const message = `this story has more than ${MAX_POINTS} buckets of ${resolution}: ask for ${found.ask}`
      return validationFailed([{ path: 'resolution', message }])
    },
  )
