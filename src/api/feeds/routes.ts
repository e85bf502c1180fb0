import { z } from '@hono/zod-openapi'
import { watchedAlready, withStatus } from '../../domain/feeds/new-feed.ts'
import type { FeedChanged } from '../../events/sources.ts'
import { cursors } from '../../views/cursor.ts'
import { feedHealth, type FeedHealth } from '../../views/feeds/health.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { orNow, paging } from '../http/parameters.ts'
import type { Caller } from '../http/keys/caller.ts'
import { isProblem, problem, type Problem } from '../http/problem.ts'
import { defineRoute, type CallContext, type Route } from '../http/route.ts'
import {
  Feed,
  feedParams,
  FeedPatch,
  Feeds,
  FeedTestBody,
  FeedTestResult,
  NewFeedBody,
  shownFeed,
  shownTest,
} from './schema.ts'
import { lookingUp, type LookUp } from './look-up.ts'
import { watchedFeeds, type WatchedFeeds } from './feed-settings.ts'

const keyed = { tag: 'Feeds', tier: 'starter', scope: 'sources', cost: 'request' } as const
const NOT_THERE = ['feed_not_found'] as const
const positions = cursors('feeds', z.object({ created_at: z.number(), feed_id: z.string() }))

/** Watched feeds: the connector `feeds` polls them and reads the pages that they list. */
export function watchedFeedRoutes(dependencies: Dependencies): readonly Route[] {
  const known = watchedFeeds(dependencies)
  const shown = showing(dependencies)
  const look = lookingUp(dependencies.feedFinder)
  return [
    add(known, look, shown),
    test(look),
    list(known, shown),
    one(known, shown),
    patch(known, shown),
    remove(known),
  ]
}

type Show = (feeds: readonly FeedChanged[], context: CallContext) => Promise<readonly z.output<typeof Feed>[]>

/** Adds to each feed what the view knows of its polls. */
const showing =
  ({ store }: Dependencies): Show =>
  async (feeds, { caller: { namespace }, now }) => {
    const feed_ids = feeds.map(({ feed_id }) => feed_id)
    const rows: readonly FeedHealth[] =
      feed_ids.length === 0 ? [] : await feedHealth(store)({ namespace, feed_ids, as_of: orNow(undefined, now) })
    const byId = new Map(rows.map((row) => [row.feed_id, row]))
    return feeds.map((feed) => shownFeed(feed, byId.get(feed.feed_id)))
  }

const only = async (show: Show, feed: FeedChanged, context: CallContext): Promise<z.output<typeof Feed>> => {
  const [shown] = await show([feed], context)
  return shown ?? shownFeed(feed, undefined)
}

const add = (known: WatchedFeeds, look: LookUp, show: Show): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/feeds',
      status: 201,
      operationId: 'addFeed',
      summary: 'Watch a feed',
      description:
        'The feed is polled from now on, and the pages of its new items become articles. The address is read first, ' +
        'within 20 seconds; that of a site is replaced by the address of its feed. A feed of the namespace with the ' +
        'same address is returned as it is.',
      problems: ['no_feed_found', 'feed_limit_reached'],
      request: { body: NewFeedBody },
      answer: Feed,
    },
    async ({ body }, context) => {
      const { namespace, key_id } = context.caller
      const { unchecked, ...given } = body
      const url = unchecked ? given.url : await found(given.url, { known, look }, context.caller)
      if (typeof url !== 'string') return url
      const feed = await known.add({ ...given, url, namespace, key_id }, context.caller, context.now)
      return isProblem(feed) ? feed : only(show, feed, context)
    },
  )

/** The address to be watched. One that is watched already is not read. */
async function found(
  url: string,
  { known, look }: { readonly known: WatchedFeeds; readonly look: LookUp },
  caller: Caller,
): Promise<string | Problem> {
  if (watchedAlready(await known.of(caller), url) !== undefined) return url
  const reply = await look(caller, (reader) => reader.find(url))
  if (isProblem(reply)) return reply
  return reply.kind === 'feed' ? reply.url : problem('no_feed_found', `No feed was found at ${url}: ${reply.error}`)
}

const test = (look: LookUp): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/feeds/test',
      status: 200,
      operationId: 'testFeed',
      summary: 'Test a feed',
      description:
        'Reads the feed at an address, or that of the site whose page it is, once and within 20 seconds, and the ' +
        'robots.txt of its newest items. Nothing is written.',
      request: { body: FeedTestBody },
      answer: FeedTestResult,
    },
    async ({ body: { url } }, { caller }) => {
      const reply = await look(caller, (reader) => reader.test(url))
      return isProblem(reply) ? reply : shownTest(reply)
    },
  )

const list = (known: WatchedFeeds, show: Show): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/feeds',
      status: 200,
      operationId: 'listFeeds',
      summary: 'List watched feeds',
      description: 'Returns the feeds of the namespace, oldest first, with their health.',
      request: { query: z.object(paging({ limit: 100, max: 1_000 })) },
      answer: Feeds,
    },
    async ({ query: { limit, cursor } }, context) => {
      const after = positions.begin(cursor, {}, { created_at: -1, feed_id: '' })
      const rest = (await known.of(context.caller)).filter((feed) => isAfter(feed, after))
      const page = rest.slice(0, limit)
      const last = page.at(-1)
      const next_cursor =
        last === undefined || rest.length <= limit
          ? null
          : positions.write({ created_at: last.created_at, feed_id: last.feed_id }, {})
      return { feeds: await show(page, context), next_cursor }
    },
  )

const isAfter = (feed: FeedChanged, position: Pick<FeedChanged, 'created_at' | 'feed_id'>): boolean =>
  feed.created_at > position.created_at || (feed.created_at === position.created_at && feed.feed_id > position.feed_id)

const one = (known: WatchedFeeds, show: Show): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/feeds/{feed_id}',
      status: 200,
      operationId: 'getFeed',
      summary: 'Retrieve a watched feed',
      description: 'Returns a feed with its health.',
      problems: NOT_THERE,
      request: { params: feedParams },
      answer: Feed,
    },
    async ({ params: { feed_id } }, context) => {
      const feed = await known.find(feed_id, context.caller)
      return isProblem(feed) ? feed : only(show, feed, context)
    },
  )

const patch = (known: WatchedFeeds, show: Show): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'patch',
      path: '/v1/feeds/{feed_id}',
      status: 200,
      operationId: 'updateFeed',
      summary: 'Update a watched feed',
      description:
        'Fields that are omitted keep their value. A feed whose `status` is `gone` is not polled again: remove it and ' +
        'add it again.',
      problems: NOT_THERE,
      request: { params: feedParams, body: FeedPatch },
      answer: Feed,
    },
    async ({ params: { feed_id }, body }, context) => {
      const feed = await known.change(feed_id, context.caller, (found) => patched(found, body, context.now))
      return isProblem(feed) ? feed : only(show, feed, context)
    },
  )

function patched(feed: FeedChanged, { source, full_text, status }: FeedPatch, now: number): FeedChanged {
  const change = {
    ...(source === undefined ? {} : { source }),
    ...(full_text === undefined ? {} : { full_text }),
  }
  const changed = { ...feed, ...change, updated_at: now }
  return status === undefined ? changed : withStatus(status, now)(changed)
}

const remove = (known: WatchedFeeds): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'delete',
      path: '/v1/feeds/{feed_id}',
      status: 204,
      operationId: 'removeFeed',
      summary: 'Stop watching a feed',
      description: 'Its articles remain. Pages that were found but not read yet are not read.',
      problems: NOT_THERE,
      request: { params: feedParams },
      answer: z.null(),
    },
    async ({ params: { feed_id } }, { caller }) => (await known.remove(feed_id, caller)) ?? null,
  )
