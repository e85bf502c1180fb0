import { Parser } from 'htmlparser2'
import { parsedUrl } from '../../events/canonical-url.ts'

/** Longer pages are cut: feeds are named in the head or in the first links. */
const MAX_HTML_CHARACTERS = 2_000_000
const MAX_CANDIDATES = 20

const FEED_TYPE = /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)$/
/** Types that feeds share with other resources, such as the REST API of WordPress. */
const GENERIC_TYPE = /^(?:application|text)\/(?:xml|json)$/
const FEED_PATH = /(?:^|[/._-])(?:feeds?|rss2?|atom|rdf)(?:[/._-]|$)/i
const COMMENTS = /\bcomments?\b/i
/** Readers: their links to subscribe contain the address of the feed, but are none. */
const READERS = /(?:^|\.)(?:feedly|inoreader|newsblur|netvibes|bloglovin|theoldreader|feedspot|addtoany)\.com$/i

/** Closing tags are searched in the open elements, so deep pages would take quadratic time. */
const MAX_DEPTH = 2_000

/**
 * The URLs of a page's feeds, the most probable first, at most 20: those that `<link rel="alternate">` announces
 * (rssboard.org/rss-autodiscovery), then links that look like feeds. Feeds of comments are left out. Whether a
 * candidate is a feed is known once it is parsed.
 */
export function feedLinks(html: string, url: string): readonly string[] {
  const found: FoundLinks = { base: url, announced: [], linked: [] }
  let depth = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'base') found.base = httpUrl(attributes['href'] ?? '', url) ?? found.base
      else addLink(found, name, attributes)
      depth += 1
      if (depth > MAX_DEPTH || found.announced.length >= MAX_CANDIDATES) parser.pause()
    },
    onclosetag: () => (depth -= 1),
  })
  parser.end(html.slice(0, MAX_HTML_CHARACTERS))
  const links = new Set([...found.announced, ...found.linked])
  return [...links].filter((link) => link !== url).slice(0, MAX_CANDIDATES)
}

interface FoundLinks {
  base: string
  readonly announced: string[]
  readonly linked: string[]
}

type Attributes = Readonly<Record<string, string | undefined>>

function addLink({ base, announced, linked }: FoundLinks, name: string, attributes: Attributes): void {
  const { href } = attributes
  if (href === undefined) return
  const isLink = name === 'link' && announcesFeed(attributes)
  const link = isLink ? httpUrl(href, base) : name === 'a' ? feedUrl(href, base) : null
  if (link === null) return
  if (isLink) announced.push(link)
  else if (linked.length < MAX_CANDIDATES) linked.push(link)
}

function announcesFeed(attributes: Attributes): boolean {
  const written = (name: string): string => attributes[name]?.trim() ?? ''
  if (!/(?:^|\s)(?:alternate|feed)(?:\s|$)/i.test(written('rel'))) return false
  if (COMMENTS.test(`${written('title')} ${written('href')}`)) return false
  const mediaType = (written('type').split(';', 1)[0] ?? '').trim().toLowerCase()
  return FEED_TYPE.test(mediaType) || (GENERIC_TYPE.test(mediaType) && FEED_PATH.test(written('href')))
}

/** The URL of a link that looks like a feed. `feed:` links are http(s) URLs with another scheme. */
function feedUrl(href: string, base: string): string | null {
  const link = href
    .trim()
    .replace(/^feed:(?:\/\/)?(?=https?:)/i, '')
    .replace(/^feed:\/\//i, 'https://')
  const url = parsedUrl(link, base)
  if (url === null || COMMENTS.test(url.pathname) || READERS.test(url.hostname)) return null
  return FEED_PATH.test(url.pathname) ? httpUrl(link, base) : null
}

function httpUrl(link: string, base: string): string | null {
  const url = link.trim() === '' ? null : parsedUrl(link.trim(), base)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  url.hash = ''
  return url.href
}

/** Paths where content management systems put feeds, the most common first. */
const COMMON_FEED_PATHS = ['feed', 'rss', 'rss.xml', 'atom.xml', 'feed.xml', 'index.xml', 'feed.json']

/**
 * URLs to try if a page announces no feed: common paths in the folder of the page, then at the root of its site, as
 * Miniflux does (internal/reader/subscription/finder.go). Empty if `url` is not an http(s) URL.
 */
export function commonFeedPaths(url: string): readonly string[] {
  const folders = new Set([httpUrl('./', url), httpUrl('/', url)])
  return [...folders].flatMap((folder) =>
    folder === null ? [] : COMMON_FEED_PATHS.map((path) => new URL(path, folder).href),
  )
}
