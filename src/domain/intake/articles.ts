import type { ArticleIngested } from '../../events/articles.ts'
import { canonicalUrl } from '../../events/canonical-url.ts'

/** What an article may be: the same at the HTTP intake, in imports and, for foreign producers, at the stage `scored`. */
export const MIN_TEXT_CHARACTERS = 100
export const MAX_TEXT_CHARACTERS = 200_000

/** Longer than any real one; without a bound a single field could make an event larger than the log takes. */
export const MAX_FIELD_CHARACTERS = { url: 8_192, title: 10_000, source: 10_000, author: 10_000 } as const
type BoundedField = keyof typeof MAX_FIELD_CHARACTERS
const BOUNDED = ['url', 'title', 'source', 'author'] as const satisfies readonly BoundedField[]

/** The namespace everybody reads, and the only one whose articles pass the quality gate. */
export const SHARED = 'shared'
export const isNamespace = (name: string): boolean => /^[a-z0-9-]{3,40}$/.test(name)

/** Stable names: they are metric labels, dead-letter reasons and the reasons an import reports. */
export type IntakeRefusal =
  | 'text_missing'
  | 'text_too_short'
  | 'text_too_long'
  | `${BoundedField}_too_long`
  | 'url_invalid'
  | 'published_date_invalid'
  | 'field_invalid'

/** Half of a surrogate pair is no character: JSON can say it, UTF-8 cannot, so it is U+FFFD before anything is derived from it. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

/** Unicode characters (code points), so that every language's producer counts alike. */
export const characters = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** `null` when the text is accepted. Length counts after trimming. */
export function textRefusal(text: string): 'text_too_short' | 'text_too_long' | null {
  const trimmed = text.trim()
  if (trimmed.length < MIN_TEXT_CHARACTERS) return 'text_too_short'
  const length = characters(trimmed)
  if (length < MIN_TEXT_CHARACTERS) return 'text_too_short'
  return length > MAX_TEXT_CHARACTERS ? 'text_too_long' : null
}

/** The first field that is longer than it may be, or null. Length counts after trimming. */
export const tooLongField = (given: Readonly<Record<BoundedField, string | null>>): BoundedField | null =>
  tooLongFields(given)[0] ?? null

const tooLongFields = (given: Readonly<Record<BoundedField, string | null>>): readonly BoundedField[] =>
  BOUNDED.filter((name) => isLongerThan(given[name]?.trim() ?? '', MAX_FIELD_CHARACTERS[name]))

/** Counts characters only where their number is in doubt: each is one or two units. */
const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || characters(text) > most)

/** An http(s) address that has a canonical form, and so an identity. */
export const isArticleUrl = (url: string): boolean => canonicalUrl(url) !== null

/** The moments a DateTime64(3) of the store holds, milliseconds since 1970. */
export const EARLIEST_MOMENT = Date.UTC(1900, 0, 1)
export const LATEST_MOMENT = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/** Whether the store can hold this moment (milliseconds since 1970): the years 1900 to 2299. */
export const isMoment = (ms: number): boolean =>
  Number.isSafeInteger(ms) && ms >= EARLIEST_MOMENT && ms <= LATEST_MOMENT

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i

/** The same in words. */
export const MOMENTS = 'the years 1900 to 2299'

/** ISO 8601 or a plain date to milliseconds since 1970; without a zone it is UTC. `null` when the store cannot hold it. */
export function parseMoment(text: string): number | null {
  const moment = readMoment(text)
  return moment !== null && isMoment(moment) ? moment : null
}

/** The same, of any year; `null` when there is no such moment. */
export function readMoment(text: string): number | null {
  const match = ISO.exec(text.trim())
  if (match === null) return null

  const civil = civilTime(match)
  const asUtc = Date.parse(civil)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString() !== civil) return null // 30 February, 24:00

  return asUtc - offsetMs(match[5])
}

/** 2018-12-31T10:20:30.000Z, whatever the zone. */
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

/** An article's fields as a producer wrote them (unknown types, other fields ignored), or why they are refused. */
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

/** Every field that is refused with its reason, the most important first. */
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

/** Trimmed and well-formed; an empty field is a missing one. */
function string(given: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = given[name]
  const trimmed = isString(value) ? wellFormed(value.trim()) : ''
  return trimmed === '' ? null : trimmed
}
