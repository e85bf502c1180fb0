import { readMoment } from '../../domain/intake/articles.ts'
import { canonicalUrl, parsedUrl } from '../../events/canonical-url.ts'
import { shortLine } from '../plain-text.ts'
import { registrableHost } from '../registrable-host.ts'
import { textIn, textsOf, type JsonLd } from './json-ld.ts'
import type { PageHead } from './page-head.ts'

/** What a page says of its article. Times are ISO 8601 in UTC; all fields are `null` if the page does not say. */
export interface PageMetadata {
  readonly title: string | null
  /** Names, separated by a comma. */
  readonly author: string | null
  readonly published_date: string | null
  readonly modified_date: string | null
  readonly section: string | null
  readonly canonical_url: string | null
  /** ISO 639-1. */
  readonly language: string | null
  readonly publisher: string | null
  /** Whether the page says that the article is not free to read. */
  readonly paywalled: boolean
}

export interface PageMetadataOptions {
  /** Address of the page. */
  readonly url: string | null
  /** Time of reading, in milliseconds since 1970; later dates are errors of the page. */
  readonly now: number
}

/** Reads JSON-LD first, then OpenGraph and other `meta` elements, then microdata. */
export function pageMetadata(head: PageHead, jsonLd: JsonLd, options: PageMetadataOptions): PageMetadata {
  const { meta, microdata } = head
  const metaOf = (...names: string[]): readonly (string | undefined)[] => names.map((name) => meta.get(name))
  const dates = (values: readonly (string | null | undefined)[]): string | null => firstDate(values, options.now)
  return {
    title: titleOf(head, jsonLd),
    author: authorOf(head, jsonLd),
    published_date: dates([
      textIn(jsonLd['datePublished']),
      ...metaOf('article:published_time', 'og:published_time', 'datepublished', 'date', 'pubdate', 'parsely-pub-date'),
      ...metaOf('dc.date.issued', 'dc.date', 'dcterms.date', 'sailthru.date', 'publishdate', 'publish-date'),
      microdata.get('datePublished'),
      textIn(jsonLd['dateCreated']),
    ]),
    modified_date: dates([
      textIn(jsonLd['dateModified']),
      ...metaOf('article:modified_time', 'og:updated_time', 'last-modified'),
      microdata.get('dateModified'),
    ]),
    section: firstLine([
      textIn(jsonLd['articleSection']),
      ...metaOf('article:section'),
      microdata.get('articleSection'),
    ]),
    canonical_url: canonicalOf([head.canonical, meta.get('og:url'), textIn(jsonLd['mainEntityOfPage'])], options.url),
    language: languageCode([
      head.language,
      meta.get('og:locale'),
      meta.get('content-language'),
      textIn(jsonLd['inLanguage']),
    ]),
    publisher: firstLine([textIn(jsonLd['publisher']), ...metaOf('og:site_name', 'application-name', 'dc.publisher')]),
    paywalled: isPaywalled(jsonLd, meta),
  }
}

type Values = readonly (string | null | undefined)[]

function firstLine(values: Values): string | null {
  for (const value of values) {
    const line = shortLine(value ?? null)
    if (line !== null) return line
  }
  return null
}

function titleOf({ meta, microdata, headings, title }: PageHead, jsonLd: JsonLd): string | null {
  const named = firstLine([textIn(jsonLd['headline']), meta.get('og:title'), meta.get('twitter:title')])
  const shown = headings.length === 1 ? headings[0] : undefined
  return named ?? firstLine([microdata.get('headline'), shown, title, headings[0]])
}

const MAX_AUTHOR_CHARS = 100
const MAX_AUTHORS = 20
const BYLINE = /^(?:by|von|par|por|di|av|door|autor(?:en)?|author|text)\s*:?\s+/iu

function authorOf({ meta, authors }: PageHead, jsonLd: JsonLd): string | null {
  const named = [
    'author',
    'article:author',
    'parsely-author',
    'sailthru.author',
    'dc.creator',
    'byl',
    'twitter:creator',
  ]
  const candidates = [
    textsOf(jsonLd['author']),
    textsOf(jsonLd['creator']),
    ...named.map((name) => textsOf(meta.get(name))),
    authors,
  ]
  const found = candidates.map(authorNames).find((names) => names.length > 0)
  return found === undefined ? null : found.slice(0, MAX_AUTHORS).join(', ')
}

const authorNames = (values: readonly string[]): readonly string[] => [
  ...new Set(values.map((value) => (shortLine(value) ?? '').replace(BYLINE, '').trim()).filter(isName)),
]

const isName = (text: string): boolean =>
  text !== '' && text.length <= MAX_AUTHOR_CHARS && !/^https?:|^@|[{}<>]/.test(text)

/** Online newspapers began about 1993; older dates are those of the software. */
const EARLIEST = Date.UTC(1993, 0, 1)
/** Clocks of publishers and zones that are not written. */
const TOLERANCE_MS = 24 * 3_600_000

function firstDate(values: Values, now: number): string | null {
  for (const value of values) {
    const ms = value === null || value === undefined ? null : timeOf(value)
    if (ms !== null && ms >= EARLIEST && ms <= now + TOLERANCE_MS) return new Date(ms).toISOString()
  }
  return null
}

const DAY_NAMED = /^(?:\w{3,9},? )?(?:\d{1,2} \w{3,9}|\w{3,9} \d{1,2}),? \d{4}(?:,? \d{1,2}:\d{2}.{0,20})?$/

function timeOf(text: string): number | null {
  const given = text.trim().slice(0, 60)
  const iso = readMoment(given)
  if (iso !== null) return iso
  if (/^\d{10}(?:\d{3})?$/.test(given)) return Number(given.padEnd(13, '0'))
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(given)
  if (day !== null) return readMoment(`${day[1]}-${day[2]}-${day[3]}`)
  const named = DAY_NAMED.test(given)
    ? Date.parse(/[+-]\d{4}|GMT|UTC|[ECMP][SD]T|Z$/.test(given) ? given : `${given} UTC`)
    : NaN
  return Number.isNaN(named) ? null : named
}

/** An address is only believed on the page's own site, and not if it names the site's front page. */
function canonicalOf(values: Values, page: string | null): string | null {
  const own = page === null ? null : parsedUrl(page)
  const stated = values.flatMap((value) => (typeof value === 'string' ? [parsedUrl(value, page ?? undefined)] : []))
  const believed = stated.find((url) => url !== null && isCanonicalFor(url, own)) ?? own
  return believed === null || canonicalUrl(believed.href) === null ? null : believed.href
}

function isCanonicalFor(url: URL, page: URL | null): boolean {
  if (!/^https?:$/.test(url.protocol) || canonicalUrl(url.href) === null) return false
  if (page === null) return !isFrontPage(url)
  return registrableHost(url.hostname) === registrableHost(page.hostname) && (!isFrontPage(url) || isFrontPage(page))
}

const isFrontPage = ({ pathname, search }: URL): boolean => /^\/(?:index\.\w+)?$/.test(pathname) && search === ''

function languageCode(values: Values): string | null {
  for (const value of values) {
    const code = /^\s*([a-z]{2})(?:[-_,\s]|$)/i.exec(value ?? '')?.[1]
    if (code !== undefined) return code.toLowerCase()
  }
  return null
}

function isPaywalled(jsonLd: JsonLd, meta: ReadonlyMap<string, string>): boolean {
  const free = jsonLd['isAccessibleForFree']
  if (typeof free === 'boolean') return !free
  if (typeof free === 'string') return /^(?:https?:\/\/schema.org\/)?(?:false|no|0)$/i.test(free)
  return /^(?:locked|paid|premium|subscription)$/i.test(meta.get('article:content_tier') ?? '')
}
