import { TextDecoder } from 'node:util'
import { decodeXML } from 'entities'
import { XMLParser } from 'fast-xml-parser'
import { isMoment, parseMoment } from '../../domain/intake/articles.ts'

export interface FeedItem {
  readonly url: string | null
  readonly title: string | null
  readonly author: string | null
  /** Milliseconds since 1970; `null` if the feed has no readable date. */
  readonly published_date: number | null
  /** The longest text of the item, often HTML. */
  readonly text: string
}

export interface ParsedFeed {
  readonly title: string | null
  readonly items: readonly FeedItem[]
}

/** Parses RSS 2.0 and older, Atom and RSS 1.0. Returns `null` for anything else. */
export function parseFeed(xml: string): ParsedFeed | null {
  const root = parseXml(xml)
  if (root === null) return null
  const [atom, rdf] = [elementOf(root['feed']), elementOf(root['rdf:RDF'])]
  const channel = elementOf(elementOf(root['rss'])?.['channel'])
  if (channel !== null) return rssFeed(channel, listOf(channel['item']))
  if (rdf !== null) return rssFeed(elementOf(rdf['channel']), listOf(rdf['item']))
  return atom === null ? null : atomFeed(atom)
}

const atomFeed = (feed: Element): ParsedFeed => ({
  title: clean(textOf(feed['title'])),
  items: listOf(feed['entry']).map(atomItem),
})

const rssFeed = (channel: Element | null, items: readonly Element[]): ParsedFeed => ({
  title: clean(textOf(channel?.['title'])),
  items: items.map(rssItem),
})

const rssItem = (item: Element): FeedItem => ({
  url: first(textOf(item['feedburner:origLink']), textOf(item['link']), permalink(item)),
  title: clean(textOf(item['title'])),
  author: clean(first(textOf(item['dc:creator']), textOf(item['author']))),
  published_date: moment(first(textOf(item['pubDate']), textOf(item['dc:date']))),
  text: longest(textOf(item['content:encoded']), textOf(item['description']), textOf(item['content'])),
})

/** A guid is a URL unless `isPermaLink` is false. */
function permalink(item: Element): string | null {
  const [guid] = listOf(item['guid'])
  const text = textOf(item['guid'])
  return attribute(guid, 'isPermaLink') === 'false' || text === null || !/^https?:/.test(text) ? null : text
}

const atomItem = (entry: Element): FeedItem => ({
  url: alternate(listOf(entry['link'])),
  title: clean(textOf(entry['title'])),
  author: clean(textOf(listOf(entry['author'])[0]?.['name'])),
  published_date: moment(first(textOf(entry['published']), textOf(entry['updated']), textOf(entry['issued']))),
  text: longest(markup(entry['content']), markup(entry['summary'])),
})

/** The link to the page itself: `rel` is `alternate` or absent. */
function alternate(links: readonly Element[]): string | null {
  const link = links.find((one) => (attribute(one, 'rel') ?? 'alternate') === 'alternate')
  return attribute(link, 'href')
}

/** Decodes an Atom text construct: escaped HTML and plain text are unescaped, XHTML is kept as mark-up. */
function markup(value: unknown): string | null {
  const raw = textOf(value)
  if (raw === null) return null
  const cdata = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(raw)
  if (cdata !== null) return cdata[1] ?? ''
  return attribute(listOf(value)[0], 'type') === 'xhtml' ? raw : decodeXML(raw)
}

/** Feeds use RFC 822 or ISO dates; an unreadable date is ignored. */
function moment(text: string | null): number | null {
  if (text === null) return null
  const ms = parseMoment(text) ?? Date.parse(text)
  return isMoment(ms) ? ms : null
}

const first = (...texts: readonly (string | null)[]): string | null =>
  texts.find((text) => text !== null && text !== '') ?? null

const longest = (...texts: readonly (string | null)[]): string =>
  texts.reduce<string>((best, text) => (text !== null && text.length > best.length ? text : best), '')

const clean = (text: string | null): string | null => {
  const line = text?.replace(/\s+/g, ' ').trim() ?? ''
  return line === '' ? null : line
}

/** An XML element: children and attributes (`@name`) by name, its own text as `#text`. */
type Element = Readonly<Record<string, unknown>>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  // Text constructs may contain mark-up whose order matters, so they are kept unparsed.
  stopNodes: ['feed.entry.content', 'feed.entry.summary'],
})

/** `null` if the text is not XML. */
function parseXml(xml: string): Element | null {
  try {
    return elementOf(parser.parse(xml))
  } catch {
    return null // not well-formed enough to be a feed
  }
}

const elementOf = (value: unknown): Element | null => (isElement(value) ? value : null)

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One or many elements as a list. Plain texts become elements. */
function listOf(value: unknown): readonly Element[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return values.map((one) => elementOf(one) ?? { '#text': one })
}

/** The text of an element, or of the first one if there are several. */
function textOf(value: unknown): string | null {
  const text = listOf(value)[0]?.['#text']
  return typeof text === 'string' ? text.trim() : null
}

function attribute(element: Element | undefined, name: string): string | null {
  const value = element?.[`@${name}`]
  return typeof value === 'string' ? value.trim() : null
}

/** The feed URLs in an OPML file, at any depth, without duplicates. `null` if it is not OPML. */
export function parseOpml(xml: string): readonly string[] | null {
  const opml = elementOf(parseXml(xml)?.['opml'])
  if (opml === null) return null
  return [...new Set(feedsOf(listOf(elementOf(opml['body'])?.['outline'])))]
}

const feedsOf = (outlines: readonly Element[]): string[] =>
  outlines.flatMap((outline) => {
    const url = attribute(outline, 'xmlUrl')
    return [...(url === null ? [] : [url]), ...feedsOf(listOf(outline['outline']))]
  })

/**
 * Decodes a document by the charset of the response, its byte order mark or its XML declaration; otherwise as UTF-8.
 */
export function decoded(body: Buffer, contentType: string | undefined): string {
  const named = /charset=["']?([\w-]+)/i.exec(contentType ?? '')?.[1]
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(body.subarray(0, 200).toString('latin1'))?.[1]
  return decoderOf(marked(body) ?? named ?? declared ?? 'utf-8').decode(body)
}

const marked = (body: Buffer): string | null =>
  body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : null

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('utf-8') // unknown charset
  }
}
