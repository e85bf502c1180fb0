import { parsedUrl } from '../../events/canonical-url.ts'
import { contentHash } from '../../events/ids.ts'
import { isMoment, parseMoment } from '../../domain/intake/articles.ts'

export type FeedFormat = 'rss' | 'atom' | 'rdf' | 'json' | 'sitemap' | 'news-sitemap' | 'sitemap-index'

export interface FeedItem {
  /**
   * Identifies the item in its feed: guid, Atom or JSON Feed id; otherwise the URL, otherwise a hash of title and text.
   * `null` if the item has none of them.
   */
  readonly id: string | null
  readonly url: string | null
  readonly title: string | null
  readonly author: string | null
  /** Milliseconds since 1970; `null` if the feed has no readable date. */
  readonly published_date: number | null
  /** When the item was last changed, in milliseconds since 1970; `null` if the feed has no readable date. */
  readonly updated_date: number | null
  /** BCP 47 tag of the item or else of the feed, as written. */
  readonly language: string | null
  /** The outlet that published the item, if the feed names one per item (aggregators, news sitemaps). */
  readonly source: string | null
  /** The longest text of the item, often HTML. Empty for the items of sitemaps and of Google News. */
  readonly text: string
}

/** A sitemap that a sitemap index lists. */
export interface ChildSitemap {
  readonly url: string
  /** Milliseconds since 1970. */
  readonly updated_date: number | null
}

export interface ParsedFeed {
  readonly format: FeedFormat
  readonly title: string | null
  /** The home page of the feed. */
  readonly site: string | null
  /** BCP 47 tag, as written. */
  readonly language: string | null
  /** How long the publisher suggests to wait between two polls: RSS `ttl`, or the syndication module (`sy:`). */
  readonly ttl_seconds: number | null
  /** In the order of the document; for sitemaps the newest, newest first. */
  readonly items: readonly FeedItem[]
  /** The entries of a sitemap index, newest first; empty for the other formats. */
  readonly sitemaps: readonly ChildSitemap[]
}

/** The fields of an item as written. */
export interface WrittenItem {
  readonly id: string | null
  readonly url: string | null
  readonly title: string | null
  readonly author: string | null
  readonly published: string | null
  readonly updated: string | null
  readonly language: string | null
  readonly source: string | null
  readonly text: string
}

/** An item from its written fields. `base` resolves a relative URL; without it the URL stays as written. */
export function feedItem(written: WrittenItem, base: string | undefined): FeedItem {
  const url = resolved(written.url, base)
  const title = clean(written.title)
  return {
    id: first(written.id, url) ?? textId(title, written.text),
    url,
    title,
    author: clean(written.author),
    published_date: moment(written.published),
    updated_date: moment(written.updated),
    language: languageTag(written.language),
    source: clean(written.source),
    text: written.text,
  }
}

const textId = (title: string | null, text: string): string | null =>
  title === null && text === '' ? null : contentHash(title, text)

/** Resolves a link. A link that is not a URL stays as written, so that the intake can name it. */
export function resolved(link: string | null, base: string | undefined): string | null {
  const text = first(link)
  return text === null ? null : (parsedUrl(text, base)?.href ?? text)
}

/** Feeds use RFC 822 or ISO dates; an unreadable date is ignored. Milliseconds since 1970. */
export function moment(text: string | null): number | null {
  if (text === null) return null
  const ms = parseMoment(text) ?? Date.parse(text)
  return isMoment(ms) ? ms : null
}

/** A BCP 47 tag; `_` is accepted as a separator. `null` for anything else. */
export function languageTag(text: string | null): string | null {
  const tag = text?.trim().replaceAll('_', '-') ?? ''
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null
}

/** The first text that is not empty. */
export const first = (...texts: readonly (string | null)[]): string | null =>
  texts.find((text) => text !== null && text !== '') ?? null

export const longest = (...texts: readonly (string | null)[]): string =>
  texts.reduce<string>((best, text) => (text !== null && text.length > best.length ? text : best), '')

/** White space collapsed; `null` if nothing remains. */
export const clean = (text: string | null): string | null => {
  const line = text?.replace(/\s+/g, ' ').trim() ?? ''
  return line === '' ? null : line
}
