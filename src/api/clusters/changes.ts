import { z } from '@hono/zod-openapi'
import { clusterChanges } from '../../views/clusters/feed.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { moment, paging, timestamp } from '../http/parameters.ts'
import { defineRoute, type Route } from '../http/route.ts'

const ClusterChange = z
  .object({
    id: z.string().describe('The same each time the change is read.'),
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
      ...{ method: 'get', tag: 'Layer 2', tier: 'starter', cost: 'request', status: 200 },
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
