import { escapeText } from 'entities'
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
import { elementOf, listOf } from './xml-elements.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** JSON Feed 1.0 and 1.1 (jsonfeed.org/version/1.1). `null` for other JSON. `address` resolves relative links. */
export function jsonFeed(document: string, address: string | undefined): ParsedFeed | null {
  const feed = parseJson(document)
  if (feed === null || !isJsonFeed(feed)) return null
  const base = resolved(text(feed['feed_url']), address) ?? undefined
  const language = languageTag(text(feed['language']))
  return {
    format: 'json',
    title: clean(text(feed['title'])),
    site: resolved(text(feed['home_page_url']), base),
    language,
    ttl_seconds: null,
    items: listOf(feed['items']).map((item) => jsonItem(item, base, language)),
    sitemaps: [],
  }
}

function parseJson(document: string): JsonObject | null {
  try {
    return elementOf(JSON.parse(document) as unknown)
  } catch {
    return null // not JSON
  }
}

const isJsonFeed = (feed: JsonObject): boolean =>
  Array.isArray(feed['items']) && /^https?:\/\/(?:www\.)?jsonfeed\.org\/version\/1/.test(text(feed['version']) ?? '')

const jsonItem = (item: JsonObject, base: string | undefined, language: string | null): FeedItem =>
  feedItem(
    {
      id: text(item['id']),
      url: first(text(item['url']), text(item['external_url'])),
      title: text(item['title']),
      author: authorOf(item),
      published: text(item['date_published']),
      updated: text(item['date_modified']),
      language: first(text(item['language']), language),
      source: null,
      text: longest(text(item['content_html']), asHtml(item['content_text']), asHtml(item['summary'])),
    },
    base,
  )

/** Version 1.1 has `authors`, version 1.0 `author`. */
const authorOf = (item: JsonObject): string | null =>
  first(text(listOf(item['authors'])[0]?.['name']), text(elementOf(item['author'])?.['name']))

/** Plain text in which `<` has no special meaning. */
const asHtml = (value: unknown): string | null => {
  const plain = text(value)
  return plain === null ? null : escapeText(plain)
}

/** Numbers are converted: some feeds have numeric ids, which the specification allows readers to accept. */
const text = (value: unknown): string | null =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : null
