import {
  characters,
  type IntakeRefusal,
  MAX_FIELD_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  MIN_TEXT_CHARACTERS,
  MOMENTS,
  readMoment,
} from '../domain/intake/articles.ts'

export interface RefusalDetail {
  /** A sentence for a person; the reason is for programs. */
  readonly message: string
  readonly field?: string
  /** What the field holds, shortened; not of a text, which is long. */
  readonly value?: string
}

const SHOWN_CHARACTERS = 80

/** What is wrong with a record's field, with its value and what was expected. */
export function refusalDetail(
  { reason, field }: { readonly reason: IntakeRefusal; readonly field: string },
  fields: Readonly<Record<string, unknown>>,
): RefusalDetail {
  const value = fields[field]
  if (field === 'text' && value === undefined) return { field, message: withoutText(reason, fields) }
  if (typeof value !== 'string') return { field, message: withoutString(reason, field, value) }
  const trimmed = value.trim()
  if (field === 'text' || reason.endsWith('_too_long')) return { field, message: ofLength(reason, field, trimmed) }
  const shown = trimmed.length > SHOWN_CHARACTERS ? `${trimmed.slice(0, SHOWN_CHARACTERS)}…` : trimmed
  return { field, value: shown, message: `${field} ${JSON.stringify(shown)} ${complaint(reason, trimmed)}` }
}

/** Names what is there instead: most often the text has another name. */
const withoutText = (reason: IntakeRefusal, fields: Readonly<Record<string, unknown>>): string =>
  `${reason} (no text; this record has ${Object.keys(fields).slice(0, 10).join(', ')}; name it with --map COLUMN=text)`

const withoutString = (reason: IntakeRefusal, field: string, value: unknown): string =>
  value === undefined || value === null
    ? `${reason} (no ${field})`
    : `${reason} (${field} is ${Array.isArray(value) ? 'a list' : `of type ${typeof value}`}, not a string)`

function ofLength(reason: IntakeRefusal, field: string, text: string): string {
  if (text === '') return `${reason} (${field} is empty)`
  const has = characters(text).toLocaleString('en')
  if (reason === 'text_too_short') return `${reason} (${has} of at least ${MIN_TEXT_CHARACTERS} characters)`
  const most = isBounded(field) ? MAX_FIELD_CHARACTERS[field] : MAX_TEXT_CHARACTERS
  return `${reason} (${has} of at most ${most.toLocaleString('en')} characters)`
}

const isBounded = (field: string): field is keyof typeof MAX_FIELD_CHARACTERS =>
  Object.hasOwn(MAX_FIELD_CHARACTERS, field)

function complaint(reason: IntakeRefusal, value: string): string {
  if (reason === 'url_invalid') return 'is not an http(s) address'
  if (reason !== 'published_date_invalid') return `is refused: ${reason}`
  return readMoment(value) === null ? 'is not an ISO 8601 date (2026-11-20)' : `is outside ${MOMENTS}`
}
