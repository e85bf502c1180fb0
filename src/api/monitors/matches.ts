import { z } from '@hono/zod-openapi'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import { matchList } from '../../views/monitors/matches.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { nextCursor, paging, sentimentScore, timestamp } from '../http/parameters.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { monitorParams } from './body.ts'
import type { MonitorSettings } from './monitor-settings.ts'

const Match = z
  .object({
    id: z.string().openapi({
      description: 'Id of the match: the same in webhooks and in the Atom feed.',
      example: 'evt_hd7mzq3x5w2aypk4vtn6jrsb7c',
    }),
    story_id: z.string().openapi({ example: 'sto_3kq7vhd2mzxw5aypc4tn6jrs7b' }),
    title: z.string().nullable().describe('Of the newest article that meets the conditions.'),
    url: z.string().nullable(),
    source: z.string().nullable(),
    article_ids: z.array(z.string()).describe('Articles that meet the conditions, newest first, at most 10.'),
    article_count: z.int().describe('Articles of the story when it matched.'),
    origin_count: z.int().describe('Independent sources of the story when it matched.'),
    lifecycle_state: z.enum(LIFECYCLE_STATES).nullable(),
    velocity: z.number().describe('Articles of the last 24 hours as a multiple of the usual number.'),
    sentiment_score: sentimentScore,
    conditions_version: z.int().describe('Version of the conditions that the story met.'),
    matched_at: timestamp,
  })
  .openapi('MonitorMatch')

const Matches = z.object({ matches: z.array(Match), next_cursor: nextCursor }).openapi('MonitorMatches')

export const matchesRoute = ({ store }: Pick<Dependencies, 'store'>, known: MonitorSettings): Route =>
  defineRoute(
    {
      ...{ tag: 'Monitors', tier: 'starter', cost: 'request' },
      method: 'get',
      path: '/v1/monitors/{monitor_id}/matches',
      status: 200,
      operationId: 'listMonitorMatches',
      summary: 'List the matches of a monitor',
      description:
        'Returns the stories that matched, newest first, as they were then. A story matches once for each version of ' +
        'the conditions.',
      problems: ['monitor_not_found'],
      request: { params: monitorParams, query: z.object(paging({ limit: 50, max: 200 })) },
      answer: Matches,
    },
    async ({ params: { monitor_id }, query: { cursor, limit } }, { caller }) => {
      const monitor = await known.find(monitor_id, caller)
      if (isProblem(monitor)) return monitor
      return matchList(store, { namespace: caller.namespace, monitor_id, cursor, limit })
    },
  )
