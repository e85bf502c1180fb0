import { decodeXML } from 'entities'
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
import { baseOf } from './rss-feed.ts'
import { attribute, elementOf, listOf, textOf, type Element } from './xml-elements.ts'

/** Atom 1.0 (RFC 4287) and 0.3. `address` resolves relative links. */
export function atomFeed(feed: Element, address: string | undefined): ParsedFeed {
  const base = baseOf(feed, address)
  const language = languageTag(attribute(feed, 'xml:lang'))
  return {
    format: 'atom',
    title: clean(textOf(feed['title'])),
    site: alternate(listOf(feed['link']), base),
    language,
    ttl_seconds: null,
    items: listOf(feed['entry']).map((entry) => atomItem(entry, base, language)),
    sitemaps: [],
  }
}

function atomItem(entry: Element, feedBase: string | undefined, language: string | null): FeedItem {
  const base = baseOf(entry, feedBase)
  const updated = first(textOf(entry['updated']), textOf(entry['modified']))
  return feedItem(
    {
      id: textOf(entry['id']),
      url: alternate(listOf(entry['link']), base),
      title: textOf(entry['title']),
      author: textOf(listOf(entry['author'])[0]?.['name']),
      published: first(textOf(entry['published']), textOf(entry['updated']), textOf(entry['issued'])),
      updated,
      language: first(attribute(entry, 'xml:lang'), language),
      source: textOf(elementOf(entry['source'])?.['title']),
      text: longest(markup(entry['content']), markup(entry['summary'])),
    },
    base,
  )
}

/** The link to the page itself: `rel` is `alternate` or absent. */
function alternate(links: readonly Element[], base: string | undefined): string | null {
  const link = links.find((one) => (attribute(one, 'rel') ?? 'alternate') === 'alternate')
  return resolved(attribute(link, 'href'), baseOf(link, base))
}

/** Decodes an Atom text construct: escaped HTML and plain text are unescaped, XHTML is kept as mark-up. */
function markup(value: unknown): string | null {
  const raw = textOf(value)
  if (raw === null) return null
  const cdata = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(raw)
  if (cdata !== null) return cdata[1] ?? ''
  return attribute(listOf(value)[0], 'type') === 'xhtml' ? raw : decodeXML(raw)
}
