import { z } from '@hono/zod-openapi'
import { fromNow } from '../../views/changes/position.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { beginAt, type BeginOptions } from './begin.ts'
import { feedOf, type ChangeFeed } from './feed.ts'
import { typesParameter, typesForTier } from './types-for-tier.ts'
import { paging } from '../http/parameters.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { STREAM, streamed } from '../http/stream-response.ts'
import { changesRoute } from './list.ts'

/** Changes as they come, over one hub: polled and streamed. */
export function feedRoutes(dependencies: Dependencies): readonly Route[] {
  const feed = feedOf(dependencies)
  return [changesRoute(dependencies, feed), eventsRoute(feed)]
}

/** Read of the log or the view at a time: what a stream holds for its client at most. */
const PAGE = 200

const eventsRoute = (feed: ChangeFeed): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Changes', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/events',
      operationId: 'streamChanges',
      summary: 'Stream changes',
      description:
        'Streams changes as server-sent events: `event` is the type of the change, `data` the change as in ' +
        '`/v1/changes`, and `id` the cursor after it. Reconnect with the last `id` as `Last-Event-ID` within ' +
        '30 days to continue without a gap; without it the stream starts now. A change may be delivered ' +
        'twice, with the same `id` in its data. After 15 s without changes a comment and a newer `id` are ' +
        'sent. A client that reads nothing for 30 s is disconnected.',
      problems: ['tier_restricted', 'cursor_expired'],
      untagged: true,
      contentType: STREAM,
      request: {
        query: z.object({
          types: typesParameter(),
          cursor: paging({ limit: 1, max: 1 }).cursor.describe(
            'Cursor to continue from, for clients that cannot send `Last-Event-ID`, which takes precedence.',
          ),
        }),
        headers: z.object({
          'Last-Event-ID': z
            .string()
            .max(2_000)
            .optional()
            .describe('The last `id` received; the stream continues after it.'),
        }),
      },
      answer: z.string(),
    },
    async ({ query, headers }, { caller, connection, now }) => {
      const { namespace, tier } = caller
      const types = typesForTier(query.types, tier)
      if (isProblem(types)) return types
      const given = lastOf(headers['Last-Event-ID'], query.cursor)
      const begin = given === null ? fromNow(now) : beginAt({ ...given, namespace, now })
      if (isProblem(begin)) return begin

      const filter = { ...begin, namespace, types, page: PAGE }
      const body = await feed.open({ caller, connection, filter }, given === null ? 'now' : 'place')
      return isProblem(body) ? body : streamed(body)
    },
  )

/** What a reader says that it has had; null: it says nothing. */
function lastOf(header: string | undefined, cursor: string | undefined): Pick<BeginOptions, 'cursor' | 'name'> | null {
  if (header !== undefined && header !== '') return { cursor: header, name: 'Last-Event-ID' }
  return cursor === undefined ? null : { cursor, name: 'cursor' }
}
