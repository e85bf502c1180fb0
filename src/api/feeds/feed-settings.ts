import pLimit from 'p-limit'
import { plannedFeed } from '../../domain/feeds/documents.ts'
import { newFeed, watchedAlready, type NewFeed } from '../../domain/feeds/new-feed.ts'
import { documentsFetched, feedsChanged, type FeedChanged } from '../../events/sources.ts'
import { UpToDate } from '../../state/settings/book.ts'
import { changeSetting, TooManyAtOnce } from '../../state/settings/change-setting.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import { append } from '../http/append.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { EngineUnavailable } from '../http/engine-deadline.ts'
import type { Caller } from '../http/keys/caller.ts'
import { isProblem, problem, type Problem } from '../http/problem.ts'

/** The watched feeds of a namespace in their latest state in the log, regardless of which instance wrote them. */
export interface WatchedFeeds {
  /** Oldest first. */
  of(caller: Caller): Promise<readonly FeedChanged[]>
  find(id: string, caller: Caller): Promise<FeedChanged | Problem>
  /** Resolves when the log has the feed. A feed with the same address is returned as it is. */
  add(feed: NewFeed, caller: Caller, now: number): Promise<FeedChanged | Problem>
  /** Resolves when the log has the change. Concurrent changes are not lost. `become` may be called twice. */
  change(id: string, caller: Caller, become: (found: FeedChanged) => FeedChanged): Promise<FeedChanged | Problem>
  remove(id: string, caller: Caller): Promise<Problem | null>
}

type WatchedFeedsPorts = Pick<Dependencies, 'log' | 'codec' | 'clock' | 'logger' | 'feedsPerNamespace'>

export function watchedFeeds(ports: WatchedFeedsPorts): WatchedFeeds {
  const { logger, feedsPerNamespace } = ports
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'feeds_not_understood')
  const known = new UpToDate(new FeedBook(), { ...ports, onStrange })
  const now = (): Promise<FeedBook> => bookNow(known)
  const exclusively = pLimit(1)

  const changed = (id: string, caller: Caller, become: (found: FeedChanged) => FeedChanged | null) =>
    exclusively(async () => {
      const refusal = (found: FeedChanged | null): Problem | null =>
        found?.namespace === caller.namespace ? null : notFound(id)
      try {
        return await changeSetting(id, { refusal, become }, { ...ports, known: { now } })
      } catch (cause) {
        throw cause instanceof TooManyAtOnce
          ? new EngineUnavailable('too many concurrent changes of a feed', { cause })
          : cause
      }
    })

  return {
    of: async ({ namespace }) => (await now()).of(namespace),
    find: async (id, { namespace }) => {
      const found = (await now()).get(id)
      return found?.namespace === namespace ? found : notFound(id)
    },
    add: (given, { namespace }, at) =>
      exclusively(async () => {
        const all = (await now()).of(namespace)
        const known = watchedAlready(all, given.url)
        if (known !== undefined) return known
        if (all.length >= feedsPerNamespace) return tooMany(namespace, feedsPerNamespace)
        const feed = newFeed(given, at)
        await append(feedsChanged, [feed], ports)
        await append(documentsFetched, [plannedFeed(feed, at)], ports)
        return feed
      }),
    change: async (id, caller, become) => {
      const done = await changed(id, caller, become)
      return isProblem(done) ? done : (done.setting ?? notFound(id))
    },
    remove: async (id, caller) => {
      const done = await changed(id, caller, () => null)
      return isProblem(done) ? done : null
    },
  }
}

const notFound = (id: string): Problem => problem('feed_not_found', `Feed not found: ${id}`)

const tooMany = (namespace: string, most: number): Problem =>
  problem(
    'feed_limit_reached',
    `The namespace ${namespace} watches the ${most} feeds it may watch (FEEDS_PER_NAMESPACE). ` +
      'Remove one you no longer need, or ask the operator to raise the limit.',
  )

async function bookNow(feeds: UpToDate<FeedBook>): Promise<FeedBook> {
  try {
    return await feeds.now()
  } catch (cause) {
    throw cause instanceof EngineUnavailable ? cause : new EngineUnavailable('feeds.changed is not readable', { cause })
  }
}
