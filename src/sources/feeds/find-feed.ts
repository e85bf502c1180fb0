import { feedUrlProblem } from '../../domain/feeds/new-feed.ts'
import { messageOf } from '../../domain/message-of.ts'
import type { NoFeed } from '../../ports/feed-finder.ts'
import type { GetDocument } from '../../ports/http.ts'
import { documentText } from './document-text.ts'
import { commonFeedPaths, feedLinks } from './feed-links.ts'
import { hasMoved } from './poll-outcome.ts'
import { parseFeed } from './parse-feed.ts'
import type { ParsedFeed } from './parsed-feed.ts'
import { MAX_FEED_BYTES } from './read-feeds.ts'
import { sitemapsIn } from './robots-rules.ts'

/** A feed that was read, at its own address. */
export interface FeedAtAddress {
  readonly kind: 'feed'
  readonly url: string
  readonly feed: ParsedFeed
}

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, ' +
  'text/html;q=0.5, */*;q=0.1'
export const FEED_HEADERS = { accept: ACCEPT }

/** More addresses of one site are not tried. */
const MOST_TRIED = 12

/**
 * Reads the feed at an address, or finds the feed of the site whose page it is: what the page announces, then common
 * paths, then the sitemaps of the site. The first that has items is taken. Addresses that cannot be watched are ignored.
 */
export async function findFeed(url: string, get: GetDocument): Promise<FeedAtAddress | NoFeed> {
  const first = await lookAt(url, get)
  if (first.kind !== 'page') return first
  const announced = feedLinks(first.html, first.url)
  const tried = announced.length > 0 ? announced : await likelyAddresses(first.url, get)
  const watchable = tried.filter((address) => feedUrlProblem(address) === null)
  for (const candidate of watchable.slice(0, MOST_TRIED)) {
    const found = await lookAt(candidate, get)
    if (found.kind === 'feed' && found.feed.items.length + found.feed.sitemaps.length > 0) return found
  }
  return { kind: 'none', error: `no feed was found (${Math.min(watchable.length, MOST_TRIED)} addresses were tried)` }
}

async function likelyAddresses(url: string, get: GetDocument): Promise<readonly string[]> {
  const robots = await get(new URL('/robots.txt', url).href, {}).catch(() => null)
  const text = robots?.status === 200 ? robots.body.toString('utf8') : null
  return [...commonFeedPaths(url), ...sitemapsIn(text, url)]
}

interface SitePage {
  readonly kind: 'page'
  readonly url: string
  readonly html: string
}

async function lookAt(url: string, get: GetDocument): Promise<FeedAtAddress | NoFeed | SitePage> {
  try {
    const { status, headers, body, url: reached, redirects } = await get(url, FEED_HEADERS)
    if (status < 200 || status > 299) return { kind: 'none', error: `HTTP ${status}` }
    const text = documentText(body, headers['content-type'], MAX_FEED_BYTES)
    const feed = parseFeed(text, reached)
    return feed === null
      ? { kind: 'page', url: reached, html: text }
      : { kind: 'feed', url: hasMoved(redirects) && feedUrlProblem(reached) === null ? reached : url, feed }
  } catch (cause) {
    return { kind: 'none', error: messageOf(cause) }
  }
}
