import { Parser } from 'htmlparser2'
import { feedItem, moment, resolved, type ChildSitemap, type FeedItem, type ParsedFeed } from './parsed-feed.ts'

/** A sitemap may have 50,000 entries. Only the newest are read, because a poll looks for new pages. */
export const MAX_SITEMAP_ITEMS = 1_000

/** Elements deeper than this belong to no sitemap. */
const MAX_DEPTH = 16
/** Longer values are not URLs, dates or names; the rest of them is not read. */
const MAX_VALUE_CHARACTERS = 10_000

/**
 * A sitemap or sitemap index (sitemaps.org/protocol.html) with the news extension
 * (developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap): the newest 1,000 entries, newest first,
 * undated ones last in the order of the document. `null` if there is neither. Parsing is streaming, takes linear time
 * and expands no entities of the document. Prefixes of XML namespaces are ignored.
 */
export function parseSitemap(xml: string, address: string | undefined): ParsedFeed | null {
  const found = readEntries(xml)
  if (found === null) return null
  const entries = newest(found.entries)
  const isNews = entries.some(({ values }) => values.has(PUBLISHED) || values.has(NAME))
  const isIndex = found.root === 'sitemapindex'
  return {
    format: isIndex ? 'sitemap-index' : isNews ? 'news-sitemap' : 'sitemap',
    title: null,
    site: null,
    language: null,
    ttl_seconds: null,
    items: isIndex ? [] : entries.map(({ values }) => itemOf(values, address)),
    sitemaps: isIndex ? entries.flatMap((entry) => childOf(entry, address)) : [],
  }
}

/** Paths of local names below an entry. Images and videos have elements of the same names, but other paths. */
const [LOC, LASTMOD] = ['loc', 'lastmod']
const [TITLE, PUBLISHED] = ['news/title', 'news/publication_date']
const [NAME, LANGUAGE] = ['news/publication/name', 'news/publication/language']
const READ: ReadonlySet<string> = new Set([LOC, LASTMOD, TITLE, PUBLISHED, NAME, LANGUAGE])

type Values = ReadonlyMap<string, string>

interface SitemapEntry {
  readonly values: Values
  /** The later one of publication and last change, in milliseconds since 1970. */
  readonly date: number | null
}

const value = (values: Values, path: string): string | null => values.get(path) ?? null

const itemOf = (values: Values, address: string | undefined): FeedItem =>
  feedItem(
    {
      id: null,
      url: value(values, LOC),
      title: value(values, TITLE),
      author: null,
      published: value(values, PUBLISHED),
      updated: value(values, LASTMOD),
      language: value(values, LANGUAGE),
      source: value(values, NAME),
      text: '',
    },
    address,
  )

function childOf({ values, date }: SitemapEntry, address: string | undefined): ChildSitemap[] {
  const url = resolved(value(values, LOC), address)
  return url === null ? [] : [{ url, updated_date: date }]
}

interface ReadEntries {
  readonly root: 'urlset' | 'sitemapindex'
  readonly entries: readonly SitemapEntry[]
}

/** Keeps at most twice the limit in memory. */
function readEntries(xml: string): ReadEntries | null {
  const path: string[] = []
  let values = new Map<string, string>()
  let entries: readonly SitemapEntry[] = []
  let kept: SitemapEntry[] = []
  let root: string | null = null
  const parser = new Parser(
    {
      onopentagname: (name) => {
        root ??= localName(name)
        if (path.push(localName(name)) === 2) values = new Map()
        if (path.length > MAX_DEPTH || !isSitemapRoot(root)) parser.pause()
      },
      ontext: (text) => {
        const at = path.slice(2).join('/')
        const before = values.get(at) ?? ''
        if (READ.has(at) && before.length < MAX_VALUE_CHARACTERS) values.set(at, before + text)
      },
      onclosetag: (_name, isImplied) => {
        // The document ends within this entry: its URL may be cut.
        if (path.length === 2 && !isImplied) kept.push(entryOf(values))
        path.pop()
        if (kept.length < MAX_SITEMAP_ITEMS) return
        entries = newest([...entries, ...kept])
        kept = []
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return isSitemapRoot(root) ? { root, entries: [...entries, ...kept] } : null
}

const isSitemapRoot = (name: string | null): name is ReadEntries['root'] => name === 'urlset' || name === 'sitemapindex'

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function entryOf(written: Values): SitemapEntry {
  const values = new Map([...written].map(([path, text]) => [path, text.trim()]))
  const dates = [moment(value(values, PUBLISHED)), moment(value(values, LASTMOD))].filter((date) => date !== null)
  return { values, date: dates.length === 0 ? null : Math.max(...dates) }
}

/** The newest entries that name a page, newest first. The sort is stable. */
const newest = (entries: readonly SitemapEntry[]): readonly SitemapEntry[] =>
  entries
    .filter(({ values }) => values.has(LOC))
    .toSorted((a, b) => (b.date ?? -Infinity) - (a.date ?? -Infinity) || 0)
    .slice(0, MAX_SITEMAP_ITEMS)
