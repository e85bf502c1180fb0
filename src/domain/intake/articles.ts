import type { ArticleIngested } from '../../events/articles.ts'
import { canonicalUrl } from '../../events/canonical-url.ts'

/**
 * Limits of an article. They are the same for the HTTP intake, imports and, for other producers, the stage `scored`.
 */
export const MIN_TEXT_CHARACTERS = 100
export const MAX_TEXT_CHARACTERS = 200_000

/** Longer than any real value. Without a limit, a single field could make an event too large for the log. */
export const MAX_FIELD_CHARACTERS = { url: 8_192, title: 10_000, source: 10_000, author: 10_000 } as const
type BoundedField = keyof typeof MAX_FIELD_CHARACTERS
const BOUNDED = ['url', 'title', 'source', 'author'] as const satisfies readonly BoundedField[]

/** The namespace that everyone can read, and the only one whose articles go through the quality gate. */
export const SHARED = 'shared'
export const isNamespace = (name: string): boolean => /^[a-z0-9-]{3,40}$/.test(name)

/** Stable names: they are used as metric labels, dead-letter reasons and reasons in import reports. */
export type IntakeRefusal =
  | 'text_missing'
  | 'text_too_short'
  | 'text_too_long'
  | `${BoundedField}_too_long`
  | 'url_invalid'
  | 'published_date_invalid'
  | 'field_invalid'

/**
 * Replaces unpaired surrogates with U+FFFD before anything is derived from the text: JSON can express them, UTF-8
 * cannot.
 */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

/** Counts Unicode code points, so that limits are the same for every language. */
export const characters = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** `null` if the text is accepted. Length is counted after trimming. */
export function textRefusal(text: string): 'text_too_short' | 'text_too_long' | null {
  const trimmed = text.trim()
  if (trimmed.length < MIN_TEXT_CHARACTERS) return 'text_too_short'
  const length = characters(trimmed)
  if (length < MIN_TEXT_CHARACTERS) return 'text_too_short'
  return length > MAX_TEXT_CHARACTERS ? 'text_too_long' : null
}

/** The first field that is too long, or `null`. Length is counted after trimming. */
export const tooLongField = (given: Readonly<Record<BoundedField, string | null>>): BoundedField | null =>
  tooLongFields(given)[0] ?? null

const tooLongFields = (given: Readonly<Record<BoundedField, string | null>>): readonly BoundedField[] =>
  BOUNDED.filter((name) => isLongerThan(given[name]?.trim() ?? '', MAX_FIELD_CHARACTERS[name]))

/** Counts code points only if the result depends on them: each is one or two UTF-16 units. */
const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || characters(text) > most)

/** Whether the URL uses http(s) and has a canonical form, which identifies the article. */
export const isArticleUrl = (url: string): boolean => canonicalUrl(url) !== null

/** Range of ClickHouse's DateTime64(3), in milliseconds since 1970. */
export const EARLIEST_MOMENT = Date.UTC(1900, 0, 1)
export const LATEST_MOMENT = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/** Whether ClickHouse can store this time (milliseconds since 1970): the years 1900 to 2299. */
export const isMoment = (ms: number): boolean =>
  Number.isSafeInteger(ms) && ms >= EARLIEST_MOMENT && ms <= LATEST_MOMENT

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i

/** The same range as text. */
export const MOMENTS = 'the years 1900 to 2299'

/**
 * Parses ISO 8601 or a plain date into milliseconds since 1970; without a zone it is UTC. `null` if it is invalid or
 * outside the years 1900 to 2299.
 */
export function parseMoment(text: string): number | null {
  const moment = readMoment(text)
  return moment !== null && isMoment(moment) ? moment : null
}

/** Like `parseMoment`, but for any year; `null` if there is no such time. */
export function readMoment(text: string): number | null {
  const match = ISO.exec(text.trim())
  if (match === null) return null

  const civil = civilTime(match)
  const asUtc = Date.parse(civil)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString() !== civil) return null // 30 February, 24:00

  return asUtc - offsetMs(match[5])
}

/** The time as written, `2018-12-31T10:20:30.000Z`; the zone is ignored. */
function civilTime([, date = '', time = '00:00', second = '00', fraction = '']: RegExpExecArray): string {
  return `${date}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

function offsetMs(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

export type Fields = Pick<ArticleIngested, 'url' | 'title' | 'source' | 'author' | 'published_date' | 'text'>

export type Intake =
  | { readonly kind: 'article'; readonly fields: Fields }
  | { readonly kind: 'refused'; readonly reason: IntakeRefusal; readonly field: string }

/**
 * An article's fields as a producer sent them (of unknown types; other fields are ignored), or why they are rejected.
 */
export function intake(given: Readonly<Record<string, unknown>>): Intake {
  const read = readFields(given)
  const [first] = refusalsOf(given, read)
  if (first !== undefined) return { kind: 'refused', ...first }

  const published_date = moment(read.published_date)
  return {
    kind: 'article',
    fields: { ...read, text: read.text ?? '', published_date: published_date === 'none' ? null : published_date },
  }
}

interface FieldRefusal {
  readonly reason: IntakeRefusal
  readonly field: string
}

/** All rejected fields with their reasons, the most important first. */
export const refusals = (given: Readonly<Record<string, unknown>>): readonly FieldRefusal[] =>
  refusalsOf(given, readFields(given))

function refusalsOf(given: Readonly<Record<string, unknown>>, read: ReadFields): readonly FieldRefusal[] {
  const wrong = FIELDS.filter((name) => !isString(given[name] ?? ''))
  if (wrong.length > 0) return wrong.map((field) => ({ reason: 'field_invalid' as const, field }))

  const ofText: IntakeRefusal | null = read.text === null ? 'text_missing' : textRefusal(read.text)
  const long = tooLongFields(read)
  const isNoUrl = read.url !== null && !long.includes('url') && !isArticleUrl(read.url)
  return [
    ...(ofText === null ? [] : [{ reason: ofText, field: 'text' }]),
    ...long.map((field) => ({ reason: `${field}_too_long` as const, field })),
    ...(isNoUrl ? [{ reason: 'url_invalid' as const, field: 'url' }] : []),
    ...(moment(read.published_date) === 'none'
      ? [{ reason: 'published_date_invalid' as const, field: 'published_date' }]
      : []),
  ]
}

const FIELDS = ['url', 'title', 'source', 'author', 'published_date', 'text'] as const

type ReadFields = Readonly<Record<(typeof FIELDS)[number], string | null>>

const readFields = (given: Readonly<Record<string, unknown>>): ReadFields => ({
  url: string(given, 'url'),
  title: string(given, 'title'),
  source: string(given, 'source'),
  author: string(given, 'author'),
  text: string(given, 'text'),
  published_date: string(given, 'published_date'),
})

const moment = (given: string | null): number | null | 'none' =>
  given === null ? null : (parseMoment(given) ?? 'none')

const isString = (value: unknown): value is string => typeof value === 'string'

/** Trimmed and well-formed; `null` if the field is missing, empty or not a string. */
function string(given: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = given[name]
  const trimmed = isString(value) ? wellFormed(value.trim()) : ''
  return trimmed === '' ? null : trimmed
}
