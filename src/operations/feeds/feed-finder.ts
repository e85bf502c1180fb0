import { guardedGet } from '../../adapters/guarded-get.ts'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import { noAnswerReason } from '../../domain/no-answer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FeedFinder } from '../../ports/feed-finder.ts'
import { ForbiddenAddress, type GetDocument } from '../../ports/http.ts'
import { findFeed } from '../../sources/feeds/find-feed.ts'
import { MAX_FEED_BYTES } from '../../sources/feeds/read-feeds.ts'
import { testFeed } from '../../sources/feeds/test-feed.ts'
import { userAgentOf } from '../../sources/watch/web.ts'

const REQUEST_MS = 20_000

/** GET for addresses of outlets that a person or program names: one at a time, without the pace of the connector. */
export const outletGet = ({ allowPrivateAddresses, contact }: Config['feeds']): GetDocument =>
  guardedGet({
    allowPrivate: allowPrivateAddresses,
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_FEED_BYTES,
    userAgent: userAgentOf(version, contact),
  })

/** All requests of one call: a site may have a dozen addresses to try. */
const CALL_MS = 20_000

/** For callers of the API: within twenty seconds, and errors name no addresses inside the network. */
export const feedFinder = (get: GetDocument, clock: Pick<Clock, 'now'>): FeedFinder => {
  const limited = (): GetDocument => {
    const signal = AbortSignal.timeout(CALL_MS)
    return (url, headers) => get(url, headers, signal).catch(rethrowReason)
  }
  return {
    find: (address) => findFeed(address, limited()),
    test: (address) => testFeed(address, limited(), clock.now()),
  }
}

const SENTENCES: Readonly<Partial<Record<ReturnType<typeof noAnswerReason>, string>>> = {
  timeout: 'the server took too long',
  refused: 'the server does not accept connections',
  dns: 'the host name cannot be resolved',
  tls: 'no secure connection could be made',
  too_large: 'the document is too large',
}

function rethrowReason(cause: unknown): never {
  const sentence = cause instanceof ForbiddenAddress ? 'the address is not public' : SENTENCES[noAnswerReason(cause)]
  throw new Error(sentence ?? 'the document cannot be read', { cause })
}
