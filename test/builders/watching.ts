import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { noAnswerReason } from '../../src/domain/no-answer.ts'
import { articlesIngested, type ArticleIngested } from '../../src/events/articles.ts'
import { documentsFetched, feedsChanged, type FeedChanged } from '../../src/events/sources.ts'
import { startFeedsEffect } from '../../src/pipeline.ts'
import type { Consumer, Log } from '../../src/ports/log.ts'
import type { RuntimePorts } from '../../src/runtime/running.ts'
import { ingested } from '../../src/sources/ingested-event.ts'
import { extractPage, type PageExtractor } from '../../src/sources/pages/extract-page.ts'
import { HostPace } from '../../src/sources/watch/host-pace.ts'
import { ReadPages } from '../../src/sources/watch/read-pages.ts'
import { SitePublishers } from '../../src/sources/watch/site-publishers.ts'
import { politeWeb } from '../../src/sources/watch/web.ts'
import { FETCHING } from '../../src/sources/watch/fetching.ts'
import { changeSetting } from '../../src/state/settings/change-setting.ts'
import { UpToDate } from '../../src/state/settings/book.ts'
import { FeedBook } from '../../src/state/settings/feeds.ts'
import { planAll, publishing } from '../../src/wiring/start-feeds.ts'
import { aFeed } from './feeds.ts'
import type { Site } from './news-sites.ts'
import type { NewsWeb } from './news-web.ts'
import { append, codec } from './plain-log.ts'
import { aDyingLog, aRunning, type Death } from './running.ts'
import type { WorkingClock } from './working-clock.ts'

export const HOST_DELAY_MS = 2_000

/** A process that polls feeds. */
export interface WatchingProcess {
  /** Resolves when the process dies at a call of the log. */
  readonly died: Promise<void>
  /** Ends it as if by `kill -9`. Its partitions go to the others. */
  kill(): void
  /** Ends it in order. */
  stop(): Promise<void>
}

export interface WatchingWorld {
  readonly log: MemoryLog
  readonly start: (name: string, death?: Death) => Promise<WatchingProcess>
}

export function aWatchingWorld(web: NewsWeb, clock: WorkingClock): WatchingWorld {
  const log = new MemoryLog({
    partitions: (name) => (name === documentsFetched.name ? 4 : 1),
    now: () => clock.now(),
  })
  return { log, start: (name, death = NEVER) => startWatching({ name, death, log, web, clock }) }
}

const NEVER: Death = { call: 'produce', nth: Infinity, when: 'before' }

interface Starting {
  readonly name: string
  readonly death: Death
  readonly log: MemoryLog
  readonly web: NewsWeb
  readonly clock: WorkingClock
}

/** What `startFeeds` does, with the web of the test. */
async function startWatching({ name, death, log: memoryLog, web, clock }: Starting): Promise<WatchingProcess> {
  const mortal = aDyingLog(memoryLog, death)
  const members: Consumer[] = []
  const log: Log = {
    ...mortal.log,
    consume: async (subscription, handle) => {
      const member = await mortal.log.consume(subscription, handle)
      members.push(member)
      return member
    },
  }
  const ways = web.reachedBy(name)
  const limits = { heartbeatMs: 60_000 }
  const running: RuntimePorts = { ...aRunning({ memoryLog, log, clock, limits }), codec }
  const feeds = new UpToDate(new FeedBook(), { log, codec, clock, onStrange: () => undefined })
  const parts = {
    feeds,
    web: politeWeb({ get: ways.get, clock, pace: new HostPace(clock, HOST_DELAY_MS), reasonOf: noAnswerReason }),
    extract: extractInThisThread,
    publishers: new SitePublishers(),
    pages: new ReadPages(),
    publish: publishing(running),
    change: async (id: string, change: Parameters<Changes>[1]) => {
      await changeSetting(id, change, { log, codec, known: feeds })
    },
    clock,
  }
  const kill = (): void => {
    ways.kill()
    for (const member of members) memoryLog.crashOne(FETCHING, member)
  }
  const died = mortal.died.then(kill)
  const consumer = await Promise.race([planAll(parts).then(() => startFeedsEffect(parts, running)), died])
  return { died, kill, stop: async () => consumer?.stop() }
}

const extractInThisThread: PageExtractor['extract'] = async (page) => extractPage(page)

type Changes = Parameters<typeof startFeedsEffect>[0]['change']

export const feedOf = ({ index, feedUrl, trouble }: Site, over: Partial<FeedChanged> = {}): FeedChanged =>
  aFeed({ feed_id: `fed_${index}`, url: feedUrl, full_text: trouble !== 'edited_in_feed', ...over })

export const watch = (log: Log, feeds: readonly FeedChanged[]): Promise<void> => append(log, feedsChanged, feeds)

export const unwatch = async (log: Log, id: string): Promise<void> => {
  await log.produce([{ topic: feedsChanged.name, key: id, value: null }])
}

export interface PublishedArticle {
  readonly articleId: string
  readonly hash: string
  /** When it was first published. */
  readonly at: number
  readonly event: ArticleIngested
}

/** The articles as their consumers see them: an event that is repeated counts once. */
export async function publishedIn(log: MemoryLog): Promise<readonly PublishedArticle[]> {
  const byEvent = new Map<string, PublishedArticle>()
  for (const { value, loggedAt } of log.records(articlesIngested.name)) {
    const decoded = await codec.decode(articlesIngested, value ?? Buffer.alloc(0))
    if (decoded.kind !== 'event') throw new Error(decoded.reason)
    const { event } = decoded
    const { article_id, content_hash } = ingested(event, { namespace: event.namespace, producer: event.producer ?? '' })
    const published = { articleId: article_id, hash: content_hash, at: loggedAt, event }
    if (!byEvent.has(event.event_id)) byEvent.set(event.event_id, published)
  }
  return [...byEvent.values()]
}
