import { atomFeed } from './atom-feed.ts'
import { jsonFeed } from './json-feed.ts'
import type { ParsedFeed } from './parsed-feed.ts'
import { rssFeed, type RssDocument } from './rss-feed.ts'
import { parseSitemap } from './sitemap.ts'
import { elementOf, listOf, parseXml, type Element } from './xml-elements.ts'

/** The XML parser takes seconds for 20 MB, so other pages do not reach it. */
const FEED_ROOT = /<(?:rss|rdf:RDF|feed)[\s>]/

/**
 * Parses RSS 2.0 and older, RSS 1.0, Atom, JSON Feed, sitemaps and sitemap indexes. Returns `null` for anything else.
 * Relative links are resolved against `xml:base` and `address`, the URL of the document; without both they stay as
 * written.
 */
export function parseFeed(document: string, address?: string): ParsedFeed | null {
  if (/^\s*\{/.test(document)) return jsonFeed(document, address)
  const sitemap = parseSitemap(document, address)
  if (sitemap !== null) return sitemap
  const root = FEED_ROOT.test(document) ? parseXml(document) : null
  const rss = rssDocument(root)
  if (rss !== null) return rssFeed(rss, address)
  const atom = elementOf(root?.['feed'])
  return atom === null ? null : atomFeed(atom, address)
}

function rssDocument(document: Element | null): RssDocument | null {
  const [rss, rdf] = [elementOf(document?.['rss']), elementOf(document?.['rdf:RDF'])]
  const channel = elementOf(rss?.['channel'])
  if (rss !== null && channel !== null) return { format: 'rss', root: rss, channel, items: listOf(channel['item']) }
  if (rdf === null) return null
  return { format: 'rdf', root: rdf, channel: elementOf(rdf['channel']), items: listOf(rdf['item']) }
}
