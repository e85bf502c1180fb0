import { z } from '@hono/zod-openapi'
import { changesPage, type ChangesPage } from '../../views/changes/page.ts'
import { fromTheBeginning, writeCursor } from '../../views/changes/position.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { beginAt } from './begin.ts'
import { Change, changeOf } from './change-schema.ts'
import type { ChangeFeed } from './feed.ts'
import { typesParameter, typesForTier } from './types-for-tier.ts'
import { integer, paging } from '../http/parameters.ts'
import { isProblem, problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'

const Changes = z
  .object({
    changes: z.array(Change),
    next_cursor: z.string().describe('Send it as `cursor` within 30 days to continue. Always present.'),
    has_more: z.boolean().describe('`true` if more changes are available now.'),
  })
  .openapi('Changes')

const LONGEST_WAIT_SECONDS = 25

export const changesRoute = ({ store, clock }: Dependencies, feed: ChangeFeed): Route =>
  defineRoute(
    {
      ...{ method: 'get', tag: 'Changes', tier: 'starter', cost: 'request', status: 200 },
      path: '/v1/changes',
      operationId: 'listChanges',
      summary: 'List changes',
      description:
        'Returns all changes in the namespace in the order in which they were decided. Without a cursor the ' +
        'feed starts at the beginning of the retention (30 days). No change between two pages is skipped; a ' +
        'change may be delivered twice, with the same `id`. Cursors are interchangeable with those of ' +
        '`/v1/events`.',
      problems: ['tier_restricted', 'cursor_expired'],
      untagged: true,
      request: {
        query: z.object({
          ...paging({ limit: 100, max: 1_000 }),
          types: typesParameter(),
          wait: integer({ min: 0, max: LONGEST_WAIT_SECONDS })
            .default(0)
            .describe(
              'Seconds to wait for changes if there are none; the request returns as soon as there are. A waiting ' +
                'request counts as a stream.',
            ),
        }),
      },
      answer: Changes,
    },
    async ({ query: { cursor, limit, types: named, wait } }, { caller, connection, now }) => {
      const { namespace } = caller
      const types = typesForTier(named, caller.tier)
      if (isProblem(types)) return types
      const begin = cursor === undefined ? fromTheBeginning(now) : beginAt({ cursor, name: 'cursor', namespace, now })
      if (isProblem(begin)) return begin

      const page = await changesPage(store, { ...begin, namespace, types, limit, now: clock.now() })
      if (page.changes.length > 0 || wait === 0) return answerOf(page, namespace)

      const filter = { ...begin, position: page.position, namespace, types, page: limit }
      const read = await feed.wait({ caller, connection, filter }, wait * 1_000)
      if (isProblem(read)) return read
      if (!connection.isAllowed()) return problem('invalid_api_key', 'The key has ended')
      const { changes, reader } = read
      return answerOf({ changes, position: reader.position, has_more: reader.hasMore() }, namespace)
    },
  )

const answerOf = ({ changes, position, has_more }: ChangesPage, namespace: string): z.input<typeof Changes> => ({
  changes: changes.map(changeOf),
  next_cursor: writeCursor(position, namespace),
  has_more,
})
