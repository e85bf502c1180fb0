import { parsedUrl } from '../../events/canonical-url.ts'
import {
  clean,
  feedItem,
  first,
  languageTag,
  longest,
  resolved,
  type FeedItem,
  type ParsedFeed,
} from './parsed-feed.ts'
import { attribute, listOf, textOf, type Element } from './xml-elements.ts'

/** The elements of an RSS or RDF document. */
export interface RssDocument {
  readonly format: 'rss' | 'rdf'
  /** The root element; it may carry `xml:base` and `xml:lang`. */
  readonly root: Element
  readonly channel: Element | null
  readonly items: readonly Element[]
}

/** RSS 2.0 and older, and RSS 1.0 (RDF). `address` resolves relative links. */
export function rssFeed({ format, root, channel, items }: RssDocument, address: string | undefined): ParsedFeed {
  const base = baseOf(channel, baseOf(root, address))
  const language = languageTag(
    first(textOf(channel?.['language']), textOf(channel?.['dc:language']), attribute(root, 'xml:lang')),
  )
  return {
    format,
    title: clean(textOf(channel?.['title'])),
    site: resolved(textOf(channel?.['link']), base),
    language,
    ttl_seconds: ttlSeconds(channel),
    items: items.map((item) => rssItem(item, base, language)),
    sitemaps: [],
  }
}

/** The base address of an element: its `xml:base`, resolved against that of its parent. */
export const baseOf = (element: Element | null | undefined, parent: string | undefined): string | undefined =>
  resolved(attribute(element, 'xml:base'), parent) ?? parent

function rssItem(item: Element, base: string | undefined, language: string | null): FeedItem {
  const source = clean(textOf(item['source']))
  const url = first(textOf(item['feedburner:origLink']), textOf(item['link']), permalink(item))
  return feedItem(
    {
      id: first(textOf(item['guid']), attribute(item, 'rdf:about'), textOf(item['atom:id'])),
      url,
      title: withoutOutlet(clean(textOf(item['title'])), source),
      author: first(textOf(item['dc:creator']), textOf(item['author'])),
      published: first(textOf(item['pubDate']), textOf(item['dc:date'])),
      updated: first(textOf(item['atom:updated']), textOf(item['a10:updated']), textOf(item['dcterms:modified'])),
      language: first(textOf(item['dc:language']), attribute(item, 'xml:lang'), language),
      source,
      text: isGoogleNews(url) ? '' : textOfItem(item),
    },
    baseOf(item, base),
  )
}

const textOfItem = (item: Element): string =>
  longest(textOf(item['content:encoded']), textOf(item['description']), textOf(item['content']))

/** A guid is a URL unless `isPermaLink` is false. */
function permalink(item: Element): string | null {
  const [guid] = listOf(item['guid'])
  const text = textOf(item['guid'])
  return attribute(guid, 'isPermaLink') === 'false' || text === null || !/^https?:/.test(text) ? null : text
}

/** Aggregators such as Google News append the outlet to the title: `Title - Outlet`. */
function withoutOutlet(title: string | null, source: string | null): string | null {
  const suffix = ` - ${source ?? ''}`
  return source !== null && title?.endsWith(suffix) === true ? title.slice(0, -suffix.length) : title
}

/** Descriptions of Google News are lists of links to articles, not text. */
const isGoogleNews = (url: string | null): boolean =>
  url !== null && parsedUrl(url)?.hostname.toLowerCase() === 'news.google.com'

const PERIOD_SECONDS: Readonly<Record<string, number | undefined>> = {
  hourly: 3_600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
}

/**
 * RSS 2.0 `ttl` in minutes (rssboard.org/rss-specification), otherwise `sy:updatePeriod` (default daily) divided by
 * `sy:updateFrequency` (default 1) of the syndication module (web.resource.org/rss/1.0/modules/syndication).
 */
function ttlSeconds(channel: Element | null): number | null {
  const ttl = positive(textOf(channel?.['ttl']))
  return ttl === null
    ? updateSeconds(textOf(channel?.['sy:updatePeriod']), textOf(channel?.['sy:updateFrequency']))
    : ttl * 60
}

function updateSeconds(period: string | null, frequency: string | null): number | null {
  if (period === null && frequency === null) return null
  const seconds = PERIOD_SECONDS[(period ?? 'daily').toLowerCase()]
  return seconds === undefined ? null : Math.round(seconds / (positive(frequency) ?? 1))
}

/** A whole number from 1 to 999,999. */
const positive = (text: string | null): number | null =>
  text !== null && /^0*[1-9]\d{0,5}$/.test(text) ? Number(text) : null
