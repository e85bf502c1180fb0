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
      summary: 'What happens to articles, stories and entities, as it happens',
      description:
        'Server-sent events (WHATWG HTML, 9.2): `event` is the type of a change, `data` the change as `/v1/changes` answers it, `id` the cursor behind it. A reader that comes back with the last `id` as `Last-Event-ID` misses nothing within 30 days; without one the stream begins now. A change may come twice, with the same `id` in its data. Every 15 s of silence there is a comment, and a newer `id`. A reader that takes nothing for 30 s is cut off.',
      problems: ['tier_restricted', 'cursor_expired'],
      untagged: true,
      contentType: STREAM,
      request: {
        query: z.object({
          types: typesParameter(),
          cursor: paging({ limit: 1, max: 1 }).cursor.openapi({
            description: 'Where to go on, for who cannot send `Last-Event-ID`; that one counts where both are there.',
          }),
        }),
        headers: z.object({
          'Last-Event-ID': z
            .string()
            .max(2_000)
            .optional()
            .openapi({ description: 'The last `id` that was received: the stream goes on behind it.' }),
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
