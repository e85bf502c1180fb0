import { z } from '@hono/zod-openapi'
import {
  fromNow,
  CursorExpired,
  goOn,
  readCursor,
  type Begin,
  fromTime,
  fromTheBeginning,
  writeCursor,
} from '../../views/changes/position.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { feedOf, type ChangeFeed } from './feed.ts'
import { commaSeparated, paging, integer, moment } from '../http/parameters.ts'
import { isProblem, problem, validationFailed, type Problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { STREAM, streamed } from '../http/stream-response.ts'
import { InvalidCursor } from '../../views/cursor.ts'
import { CHANGE_TYPES, type ChangeType } from '../../events/changes.ts'
import type { Tier } from '../../events/settings.ts'
import { includes } from '../http/keys/caller.ts'
import { changesPage, type ChangesPage } from '../../views/changes/page.ts'
import { Change, changeOf, tierOf } from './change-schema.ts'

const Changes = z
  .object({
    changes: z.array(Change),
    next_cursor: z.string().describe('Send it as `cursor` within 30 days to continue. Always present.'),
    has_more: z.boolean().describe('`true` if more changes are available now.'),
  })
  .openapi('Changes')

/** The change feed, polled and streamed. */
export function feedRoutes(dependencies: Dependencies): readonly Route[] {
  const feed = feedOf(dependencies)
  return [changesRoute(dependencies, feed), eventsRoute(feed)]
}

const changesRoute = ({ store, clock }: Dependencies, feed: ChangeFeed): Route =>
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
          since: moment()
            .optional()
            .describe('Without a cursor: only changes recorded from this time on, at most 30 days ago.'),
          types: typesParameter(),
          wait: integer({ min: 0, max: 25 })
            .default(0)
            .describe(
              'Seconds to wait for changes if there are none; the request returns as soon as there are. A waiting ' +
                'request counts as a stream.',
            ),
        }),
      },
      answer: Changes,
    },
    async ({ query: { cursor, since, limit, types: named, wait } }, { caller, connection, now }) => {
      const { namespace, owner } = caller
      const types = typesForTier(named, caller.tier)
      if (isProblem(types)) return types
      const begin = cursor === undefined ? startAt(since, now) : beginAt({ cursor, name: 'cursor', namespace, now })
      if (isProblem(begin)) return begin

      const page = await changesPage(store, { ...begin, namespace, owner, types, limit, now: clock.now() })
      if (page.changes.length > 0 || wait === 0) return answerOf(page, namespace)

      const filter = { ...begin, position: page.position, namespace, owner, types, page: limit }
      const waitMs = Math.max(0, now + wait * 1_000 - clock.now())
      const read = await feed.wait({ caller, connection, filter }, waitMs)
      if (isProblem(read)) return read
      if (!connection.isAllowed()) return problem('invalid_api_key', 'The key has ended')
      const { changes, reader } = read
      return answerOf({ changes, position: reader.position, has_more: reader.hasMore() }, namespace)
    },
  )

const startAt = (since: number | undefined, now: number): Begin =>
  since === undefined ? fromTheBeginning(now) : fromTime(since, now)

const answerOf = ({ changes, position, has_more }: ChangesPage, namespace: string): z.input<typeof Changes> => ({
  changes: changes.map(changeOf),
  next_cursor: writeCursor(position, namespace),
  has_more,
})

/** Changes per read of the log or the view, which is the most that a stream buffers for its client. */
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
      const { namespace, owner, tier } = caller
      const types = typesForTier(query.types, tier)
      if (isProblem(types)) return types
      const given = lastOf(headers['Last-Event-ID'], query.cursor)
      const begin = given === null ? fromNow(now) : beginAt({ ...given, namespace, now })
      if (isProblem(begin)) return begin

      const filter = { ...begin, namespace, owner, types, page: PAGE }
      const body = await feed.open({ caller, connection, filter }, given === null ? 'now' : 'cursor')
      return isProblem(body) ? body : streamed(body)
    },
  )

/** The cursor that a client sent; `null` if there is none. */
function lastOf(header: string | undefined, cursor: string | undefined): Pick<BeginOptions, 'cursor' | 'name'> | null {
  if (header !== undefined && header !== '') return { cursor: header, name: 'Last-Event-ID' }
  return cursor === undefined ? null : { cursor, name: 'cursor' }
}

const BEGIN_AGAIN =
  'The cursor is older than 30 days, and changes after it may have been deleted: read the current state from the lists ' +
  '(/v1/clusters, /v1/stories, /v1/entities, /v1/trends), and start again without a cursor'

interface BeginOptions {
  readonly cursor: string
  /** How the caller sent the cursor. */
  readonly name: 'cursor' | 'Last-Event-ID'
  readonly namespace: string
  readonly now: number
}

/** The position after a cursor, or the problem if the feed cannot continue from there. */
function beginAt({ cursor, name, namespace, now }: BeginOptions): Begin | Problem {
  try {
    return goOn(readCursor(cursor, namespace, now))
  } catch (cause) {
    if (cause instanceof CursorExpired) return problem('cursor_expired', BEGIN_AGAIN)
    if (cause instanceof InvalidCursor) return validationFailed([{ path: name, message: cause.message }])
    throw cause
  }
}

const isType = (name: string): name is ChangeType => CHANGE_TYPES.some((type) => type === name)

/** Comma-separated; absent or empty for all that the key's tier includes. */
const typesParameter = () =>
  z
    .string()
    .max(1_000)
    .transform((text, context): ChangeType[] => {
      const names = commaSeparated(text)
      const strange = names.filter((name) => !isType(name))
      if (strange.length > 0) {
        const message = `unknown: ${strange.join(', ')}; there are ${CHANGE_TYPES.join(', ')}`
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      return [...new Set(names.filter(isType))]
    })
    .optional()
    .openapi({
      type: 'string',
      description:
        `Comma-separated change types: ${CHANGE_TYPES.map((type) => `\`${type}\``).join(', ')}. ` +
        "`story.enriched` requires a professional key. Default: all types that the key's tier includes.",
      example: 'cluster.opened,trend.detected',
    })

/** The types that a key receives; a problem if it requests one that its tier does not include. */
function typesForTier(requested: readonly ChangeType[] | undefined, tier: Tier): readonly ChangeType[] | Problem {
  const isIncluded = (type: ChangeType): boolean => includes(tier, tierOf(type))
  if (requested === undefined || requested.length === 0) return CHANGE_TYPES.filter(isIncluded)
  const refused = requested.find((type) => !isIncluded(type))
  if (refused === undefined) return requested
  return problem('tier_restricted', `${refused} requires a ${tierOf(refused)} key; yours is ${tier}`)
}
