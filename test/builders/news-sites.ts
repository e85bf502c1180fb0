import { gzipSync } from 'node:zlib'
import { sha256 } from '../../src/events/ids.ts'

export const NEWS_START = Date.UTC(2016, 4, 2)
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
const [RETRY_AFTER_SECONDS, CRAWL_DELAY_SECONDS] = [10_800, 10]
export { RETRY_AFTER_SECONDS, CRAWL_DELAY_SECONDS }

/** What goes wrong with a site; one a site. */
export const TROUBLES = [
  ...(['none', 'aggregator', 'slow', 'endless', 'gzip_bomb', 'windows_1251', 'shift_jis', 'feed_to_private'] as const),
  ...(['moved', 'moved_back', 'moved_host', 'temporary_redirect', 'gone', 'limited', 'unavailable'] as const),
  ...(['moving_guids', 'future_dates', 'duplicates', 'edited_in_feed', 'returning', 'empty', 'html_error'] as const),
  ...(['broken_xml', 'robots_forbid', 'robots_delay', 'robots_away', 'page_fails_first', 'page_403'] as const),
  ...([
    'page_limited',
    'page_edited',
    'page_retitled',
    'page_moved',
    'page_to_private',
    'page_to_forbidden',
    'removed',
    'paused',
  ] as const),
] as const
export type SiteTrouble = (typeof TROUBLES)[number]

/** Those are reached over a socket: what they send is a matter of the transport. */
const OVER_SOCKET: readonly SiteTrouble[] = ['slow', 'endless', 'gzip_bomb']
/** An article of these is the text of the feed. */
export const FEED_TEXT: readonly SiteTrouble[] = [
  ...(['robots_forbid', 'page_403', 'page_to_private', 'page_to_forbidden', 'edited_in_feed'] as const),
]

const FORMATS = ['rss', 'atom', 'json', 'news-sitemap'] as const
export type SiteFormat = (typeof FORMATS)[number]

export interface SiteItem {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly publishedAt: number
  /** Times at which its text changes. */
  readonly edits: readonly number[]
}

export interface Site {
  readonly index: number
  readonly host: string
  readonly feedUrl: string
  readonly trouble: SiteTrouble
  readonly format: SiteFormat
  readonly items: readonly SiteItem[]
  readonly isOverSocket: boolean
}

export interface SiteReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** How the body is sent, other than at once. */
  readonly sends?: 'never' | 'endless'
  /** Items that a reader of this reply learns of. */
  readonly lists?: readonly SiteItem[]
}

const ITEM_EVERY_MS = 8 * HOUR_MS
const LISTED_MS = DAY_MS

/** A fixed number from 0 to 1. */
export const chance = (text: string): number => sha256(text).readUInt32BE(0) / 2 ** 32

export function newsSites(count: number, days: number): readonly Site[] {
  const sites: Site[] = []
  for (let index = 0; index < count; index++) {
    const trouble = TROUBLES[index % TROUBLES.length] ?? 'none'
    const host = `site${index}.example`
    const before = sites.at(-1)
    sites.push({
      ...{ index, host, trouble, feedUrl: `http://${host}/feed`, format: formatOf(trouble, index) },
      items: trouble === 'aggregator' && before !== undefined ? before.items : itemsOf(index, trouble, days),
      isOverSocket: OVER_SOCKET.includes(trouble),
    })
  }
  return sites
}

/** A news sitemap has no text, and no charset that matters. */
function formatOf(trouble: SiteTrouble, index: number): SiteFormat {
  const needsXml = ['windows_1251', 'shift_jis', 'broken_xml', 'moving_guids'].includes(trouble)
  const needsText = FEED_TEXT.includes(trouble) || trouble === 'robots_away' // its pages cannot be read for hours
  const formats = needsXml ? FORMATS.slice(0, 2) : needsText ? FORMATS.slice(0, 3) : FORMATS
  return formats[Math.floor(index / TROUBLES.length + index) % formats.length] ?? 'rss'
}

function itemsOf(site: number, trouble: SiteTrouble, days: number): readonly SiteItem[] {
  const count = Math.floor((days * DAY_MS) / ITEM_EVERY_MS)
  return Array.from({ length: count }, (_, n) => {
    const id = `site${site}-${n}`
    const publishedAt = NEWS_START + Math.round((n + chance(id) - 1) * ITEM_EVERY_MS)
    const edits = { edited_in_feed: 8, page_edited: 3, page_retitled: 9 }[trouble as string] ?? 0
    return {
      ...{
        id,
        publishedAt,
        url: `http://site${site}.example/story/${n}`,
        title: `Council ${site} decides matter ${n}`,
      },
      edits: Array.from({ length: edits }, (_, e) => publishedAt + Math.round((0.4 + 2.5 * e) * HOUR_MS)),
    }
  })
}

/** How often an item was edited until then. */
export const editionAt = ({ edits }: SiteItem, at: number): number => edits.filter((edit) => edit <= at).length

const pageText = (item: SiteItem, at: number): string =>
  `The council voted on Tuesday on the matter ${item.id} after a debate of four hours in the town hall. ` +
  'Engineers had found cracks in four of twelve steel arches during an inspection last autumn, the mayor said, and ' +
  `traffic will be sent over the northern crossing. This is edition ${editionAt(item, at)} of the report.`

const summary = (item: SiteItem, at: number): string =>
  `The council decided on ${item.id} after a long debate on Tuesday night, as the mayor told reporters later in the ` +
  `town hall; summary ${editionAt(item, at)} of the matter.`

const isBadDay = (at: number): boolean => at >= NEWS_START + 0.3 * DAY_MS && at < NEWS_START + 0.7 * DAY_MS

/** The items that a feed lists at a time. */
export function listedAt({ trouble, items }: Site, at: number): readonly SiteItem[] {
  if (trouble === 'empty' && isBadDay(at)) return []
  const isBack = (item: SiteItem): boolean => Math.floor((at - item.publishedAt) / (7 * HOUR_MS)) % 2 === 0
  return items
    .filter((item) => item.publishedAt <= at && at < item.publishedAt + LISTED_MS)
    .filter((item) => trouble !== 'returning' || isBack(item))
    .reverse()
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const WRITERS: Readonly<Record<SiteFormat, (site: Site, items: readonly SiteItem[], at: number) => string>> = {
  rss: (site, items, at) =>
    `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Site ${site.index} Новости 新聞</title>` +
    items
      .map(
        (item) =>
          `<item><title>${titleOf(site, item, at)}</title><link>${item.url}</link><guid isPermaLink="false">${guidOf(site, item, at)}</guid>` +
          `<pubDate>${new Date(dateOf(site, item)).toUTCString()}</pubDate><description>${xml(`<p>${summary(item, at)}</p>`)}</description></item>`,
      )
      .join('') +
    '</channel></rss>',
  atom: (site, items, at) =>
    `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Site ${site.index}</title>` +
    items
      .map(
        (item) =>
          `<entry><title>${titleOf(site, item, at)}</title><link href="${item.url}"/><id>${guidOf(site, item, at)}</id>` +
          `<published>${new Date(dateOf(site, item)).toISOString()}</published><summary>${summary(item, at)}</summary></entry>`,
      )
      .join('') +
    '</feed>',
  json: (site, items, at) =>
    JSON.stringify({
      ...{ version: 'https://jsonfeed.org/version/1.1', title: `Site ${site.index}` },
      items: items.map((item) => ({
        ...{
          id: guidOf(site, item, at),
          url: item.url,
          title: titleOf(site, item, at),
          content_text: summary(item, at),
        },
        date_published: new Date(dateOf(site, item)).toISOString(),
      })),
    }),
  'news-sitemap': (site, items, at) =>
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">' +
    items
      .map(
        (item) =>
          `<url><loc>${item.url}</loc><news:news><news:publication><news:name>Site</news:name></news:publication>` +
          `<news:publication_date>${new Date(dateOf(site, item)).toISOString()}</news:publication_date>` +
          `<news:title>${titleOf(site, item, at)}</news:title></news:news></url>`,
      )
      .join('') +
    '</urlset>',
}

function guidOf({ trouble }: Site, item: SiteItem, at: number): string {
  if (trouble === 'page_retitled') return `${item.id}-${editionAt(item, at)}`
  return trouble === 'moving_guids' ? `${item.id}-${Math.floor(at / HOUR_MS)}` : item.id
}

const titleOf = ({ trouble }: Site, item: SiteItem, at: number): string =>
  trouble === 'page_retitled' ? `${item.title}, edition ${editionAt(item, at)}` : item.title

const dateOf = ({ trouble }: Site, { publishedAt }: SiteItem): number =>
  trouble === 'future_dates' ? publishedAt + 30 * DAY_MS : publishedAt

export const reply = (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): SiteReply => ({
  ...{ status, headers, body: Buffer.from(body) },
})

const redirect = (status: number, location: string): SiteReply => reply(status, '', { location })

/** The document of a feed, or 304. */
export function feedDocument(site: Site, at: number, known: string | undefined): SiteReply {
  const items = listedAt(site, at)
  const twice = site.trouble === 'duplicates' ? items.flatMap((item) => [item, item]) : items
  const text = WRITERS[site.format](site, twice, at)
  const etag = `"${sha256(text).toString('hex', 0, 8)}"`
  if (known === etag) return reply(304)
  const bytes = site.trouble === 'windows_1251' ? inWindows1251(text) : Buffer.from(text)
  const charset = { windows_1251: '; charset=windows-1251', shift_jis: '; charset=shift_jis' }[site.trouble as string]
  return { ...reply(200, bytes, { etag, 'content-type': `application/xml${charset ?? ''}` }), lists: items }
}

/** The letters А to я in windows-1251; others become a question mark. */
const inWindows1251 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0
      return code < 128 ? code : code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : 63
    }),
  )

let bomb: Buffer | null = null
/** 20 MB in 20 KB. */
const gzipBomb = (): Buffer => (bomb ??= gzipSync(Buffer.alloc(20_000_000)))

interface Troubled {
  readonly site: Site
  readonly path: string
  readonly at: number
}

/** The first change: an address moves, a feed ends. */
const isChanged = (at: number): boolean => at >= NEWS_START + 0.8 * DAY_MS
const isChangedBack = (at: number): boolean => at >= NEWS_START + 1.3 * DAY_MS

/** What replaces the feed at a time; `null` if it is sent. */
export const FEED_TROUBLES: Readonly<Partial<Record<SiteTrouble, (requested: Troubled) => SiteReply | null>>> = {
  slow: ({ at }) => (isBadDay(at) ? { ...reply(200), sends: 'never' } : null),
  endless: ({ at }) => (isBadDay(at) ? { ...reply(200), sends: 'endless' } : null),
  gzip_bomb: ({ at }) => (isBadDay(at) ? reply(200, gzipBomb(), { 'content-encoding': 'gzip' }) : null),
  moved: ({ site, path, at }) => (isChanged(at) && path === '/feed' ? redirect(301, `http://${site.host}/new`) : null),
  moved_back: ({ site, path, at }) => {
    if (isChangedBack(at)) return path === '/new' ? redirect(308, `http://${site.host}/feed`) : null
    return isChanged(at) && path === '/feed' ? redirect(308, `http://${site.host}/new`) : null
  },
  moved_host: ({ site, path, at }) =>
    isChanged(at) && path === '/feed' ? redirect(301, `http://moved${site.index}.example/new`) : null,
  temporary_redirect: ({ site, path }) => (path === '/feed' ? redirect(302, `http://${site.host}/now`) : null),
  gone: ({ at }) => (isChanged(at) ? reply(410) : null),
  limited: ({ at }) => (isBadDay(at) ? reply(429, '', { 'retry-after': String(RETRY_AFTER_SECONDS) }) : null),
  unavailable: ({ at }) =>
    isBadDay(at) ? reply(503, '', { 'retry-after': new Date(at + RETRY_AFTER_SECONDS * 1000).toUTCString() }) : null,
  html_error: ({ at }) => (isBadDay(at) ? reply(200, '<!doctype html><html><body><h1>Error</h1></body></html>') : null),
  broken_xml: ({ at }) => (isBadDay(at) ? reply(200, '<?xml version="1.0"?><rss><channel><item><title>Co') : null),
}

export const ROBOTS: Readonly<Partial<Record<SiteTrouble, (at: number) => SiteReply>>> = {
  robots_forbid: () => reply(200, 'User-agent: *\nDisallow: /story/\n'),
  robots_delay: () => reply(200, `User-agent: *\nCrawl-delay: ${CRAWL_DELAY_SECONDS}\n`),
  robots_away: (at) => (at < NEWS_START + 2 * HOUR_MS ? reply(503) : reply(200, 'User-agent: *\nAllow: /\n')),
}

/** `times`: how often the page was requested before. */
export const PAGE_TROUBLES: Readonly<
  Partial<
    Record<
      SiteTrouble,
      (requested: Troubled & { readonly times: number; readonly privateUrl: string }) => SiteReply | null
    >
  >
> = {
  page_fails_first: ({ times }) => (times < 2 ? reply(500) : null),
  page_403: () => reply(403),
  page_retitled: ({ times }) => (times % 4 > 1 ? reply(500) : null),
  page_limited: ({ times }) => (times < 1 ? reply(429, '', { 'retry-after': '1800' }) : null),
  page_moved: ({ path }) => (path.startsWith('/story/') ? redirect(301, path.replace('story', 'news')) : null),
  page_to_private: ({ privateUrl }) => redirect(302, privateUrl),
  page_to_forbidden: ({ path }) => redirect(302, `http://closed.example${path}`),
}

/** Address that a page gives as its own. */
export const newsUrl = (url: string): string => url.replace('/story/', '/news/')

const canonicalLink = ({ trouble }: Site, { url }: SiteItem): string =>
  trouble === 'page_retitled' ? `<link rel="canonical" href="${newsUrl(url)}">` : ''

export const pageDocument = (site: Site, item: SiteItem, at: number): SiteReply =>
  reply(
    200,
    `<!doctype html><html><head><title>${item.title}</title><meta property="og:title" content="${item.title}">` +
      `${canonicalLink(site, item)}</head><body><main><article><h1>${item.title}</h1><p>${pageText(item, at)}</p></article></main></body></html>`,
    { 'content-type': 'text/html; charset=utf-8' },
  )
