import { z } from '@hono/zod-openapi'
import { clusterChanges } from '../../views/clusters/feed.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { moment, paging, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const ClusterChange = z
  .object({
    id: z.string().openapi({ description: 'The same each time the change is read.' }),
    type: z.enum([
      'cluster.opened',
      'cluster.grown',
      'cluster.merged',
      'cluster.split',
      'cluster.settled',
      'cluster.moved',
      'cluster.corrected',
    ]),
    occurred_at: timestamp.openapi({ description: 'Event time.' }),
    data: z.object({
      cluster_id: z
        .string()
        .openapi({ description: 'The story; where articles change theirs, that which has them now.' }),
      from_cluster_id: z.string().nullable().openapi({ description: 'The story they leave.' }),
      article_ids: z.array(z.string()).openapi({
        description: 'Those that came; of `cluster.settled`: all articles of the story.',
      }),
      correction_id: z.string().nullable(),
      correction_action: z.string().nullable(),
    }),
  })
  .openapi('ClusterChange')

const ClusterChanges = z
  .object({
    changes: z.array(ClusterChange),
    next_cursor: z.string().openapi({ description: 'Send it as `cursor`, now or later: always there.' }),
    has_more: z.boolean(),
  })
  .openapi('ClusterChanges')

export const clusterChangesRoute = ({ store }: Dependencies): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/clusters/changes',
      operationId: 'listClusterChanges',
      summary: 'What happened to stories, in order, to be followed without end',
      description:
        'In the order in which it was decided, from the beginning. Nothing between two pages is left out, however much later the second one is asked for.',
      request: {
        query: z.object({
          ...paging({ limit: 100, max: 1_000 }),
          as_of: moment()
            .optional()
            .openapi({ description: 'Only what happened up to then (event time). Default: all.' }),
        }),
      },
      answer: ClusterChanges,
    },
    ({ query: { cursor, limit, as_of } }, { caller: { namespace } }) =>
      clusterChanges(store, { namespace, cursor, limit, as_of: as_of ?? null }),
  )
