import { guardedHop } from '../adapters/guarded-get.ts'
import { pageWorkers } from '../adapters/page-workers.ts'
import { noAnswerReason } from '../domain/no-answer.ts'
import { plannedFeed } from '../domain/feeds/documents.ts'
import { articlesIngested } from '../events/articles.ts'
import { documentsFetched } from '../events/sources.ts'
import { startFeedsEffect } from '../pipeline.ts'
import { version } from '../config/version.ts'
import { MAX_FEED_BYTES } from '../sources/feeds/read-feeds.ts'
import type { Fetching, Found } from '../sources/watch/due-document.ts'
import { HostPace } from '../sources/watch/host-pace.ts'
import { ReadPages } from '../sources/watch/read-pages.ts'
import { SitePublishers } from '../sources/watch/site-publishers.ts'
import { politeWeb, userAgentOf, type Web } from '../sources/watch/web.ts'
import { UpToDate } from '../state/settings/book.ts'
import { changeSetting } from '../state/settings/change-setting.ts'
import { FeedBook } from '../state/settings/feeds.ts'
import { encodedRecords } from '../ports/encoded-records.ts'
import type { RuntimePorts } from '../runtime/running.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { StartedProcess } from './started-process.ts'

export const FEEDS_ROLE = 'connector:feeds'

/** Polls the watched feeds of this process's partitions, and reads the pages of its hosts, until the process stops. */
export async function startFeeds({ wiring, running, lifecycle }: StartedProcess): Promise<void> {
  const { log, codec, clock, logger } = running
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'feeds_not_understood')
  const feeds = new UpToDate(new FeedBook(), { log, codec, clock, onStrange })
  const publish = publishing(running)
  const extractor = pageWorkers({ workers: 1 })
  const parts: Fetching = {
    feeds,
    web: webOf(wiring, running),
    extract: (page) => extractor.extract(page),
    publishers: new SitePublishers(),
    pages: new ReadPages(),
    publish,
    change: async (id, change) => {
      await changeSetting(id, change, { log, codec, known: feeds })
    },
    clock,
  }
  await planAll(parts)
  const consumer = await startFeedsEffect(parts, running)
  lifecycle.opened(`${FEEDS_ROLE} extraction`, () => extractor.close())
  lifecycle.opened(FEEDS_ROLE, () => consumer.stop())
}

const TIMEOUT_MS = 30_000

function webOf({ config: { feeds } }: Wiring, { clock, logger }: RuntimePorts): Web {
  return politeWeb({
    get: guardedHop({
      allowPrivate: feeds.allowPrivateAddresses,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_FEED_BYTES,
      userAgent: userAgentOf(version, feeds.contact),
    }),
    clock,
    pace: new HostPace(clock, feeds.hostDelayMs),
    reasonOf: (cause) => {
      const reason = noAnswerReason(cause)
      if (reason === 'internal') logger.error({ err: cause }, 'a request could not be made')
      return reason
    },
  })
}

/**
 * Writes articles before the documents that say that they were found: a repeated attempt gives the same articles.
 * Unlike `publisher`, it makes one request and retries nothing: the effect repeats its attempt while the partition is
 * its own.
 */
export const publishing =
  ({ log, codec }: RuntimePorts) =>
  async ({ articles, documents }: Found): Promise<void> => {
    const records = [
      ...(await encodedRecords(articlesIngested, articles, codec)),
      ...(await encodedRecords(documentsFetched, documents, codec)),
    ]
    if (records.length > 0) await log.produce(records)
  }

const FEEDS_AT_ONCE = 500

/**
 * Plans every feed. Feeds whose state is in the log ignore this; others were added before this version, or not polled
 * for longer than the log keeps.
 */
export async function planAll({ feeds, publish, clock }: Fetching): Promise<void> {
  const active = (await feeds.within(0)).all().filter(({ status }) => status !== 'gone')
  for (let from = 0; from < active.length; from += FEEDS_AT_ONCE) {
    const some = active.slice(from, from + FEEDS_AT_ONCE)
    await publish({ articles: [], documents: some.map((feed) => plannedFeed(feed, clock.now())) })
  }
}
