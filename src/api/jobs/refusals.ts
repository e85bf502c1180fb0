import { MAX_FIELD_CHARACTERS, MAX_TEXT_CHARACTERS, MIN_TEXT_CHARACTERS } from '../../domain/intake/articles.ts'

/** Why an item of a batch is refused in its place while the others go on. */
export const REFUSALS = [
  'text_too_short',
  'text_too_long',
  'url_too_long',
  'title_too_long',
  'source_too_long',
  'author_too_long',
  'url_invalid',
  'published_date_invalid',
] as const
export type ItemRefusal = (typeof REFUSALS)[number]

const longer = (field: keyof typeof MAX_FIELD_CHARACTERS): string =>
  `the ${field} has more than ${MAX_FIELD_CHARACTERS[field].toLocaleString('en')} characters`

const SENTENCES: Readonly<Record<string, string>> = {
  text_missing: 'there is no text',
  text_too_short: `the text has fewer than ${MIN_TEXT_CHARACTERS} characters`,
  text_too_long: `the text has more than ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters`,
  url_too_long: longer('url'),
  title_too_long: longer('title'),
  source_too_long: longer('source'),
  author_too_long: longer('author'),
  url_invalid: 'the url is no http(s) address',
  published_date_invalid: 'the published_date is no ISO 8601 timestamp or date',
}

/** A reason as a caller reads it: the constant, and what it means where we can say it. */
export const refusalText = (reason: string): string => {
  const sentence = SENTENCES[reason]
  return sentence === undefined ? reason : `${reason}: ${sentence}`
}
