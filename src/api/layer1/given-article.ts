import { z } from '@hono/zod-openapi'
import {
  characters,
  isArticleUrl,
  MAX_FIELD_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  parseMoment,
  tooLongField,
  wellFormed,
} from '../../domain/intake/articles.ts'
import type { FieldError } from '../http/problem.ts'

const MAX_ID_CHARACTERS = 200

const optional = (description: string) => z.string().nullish().describe(description)

/** An article as Layer 1 receives it. Empty and null fields count as missing; unknown fields are ignored. */
export const GivenArticle = z
  .object({
    article_id: z
      .string()
      .describe(`Identifies the stored result; at most ${MAX_ID_CHARACTERS} characters. Use the Layer 0 id.`),
    title: optional(`Headline. At most ${MAX_FIELD_CHARACTERS.title.toLocaleString('en')} characters.`),
    content: z
      .string()
      .describe(`Plain text or HTML; not blank, at most ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters.`),
    url: optional(`http(s) address. At most ${MAX_FIELD_CHARACTERS.url.toLocaleString('en')} characters.`),
    published_date: optional(
      'ISO 8601 timestamp, with or without `Z`, or a date. Relative dates such as "last Tuesday" are ' +
        'resolved from it.',
    ),
  })
  .openapi('Layer1Article')

/** The article to analyze. */
export interface ArticleToAnalyze {
  readonly article_id: string
  readonly title: string | null
  readonly url: string | null
  /** Milliseconds since 1970. */
  readonly published: number | null
  /** As received: plain text or HTML. */
  readonly content: string
}

export type CheckedArticle =
  | { readonly kind: 'article'; readonly article: ArticleToAnalyze }
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] }

/** Validates by the rules of intake, except for length: a text may be short. The id is the caller's. */
export function checkedArticle(given: z.output<typeof GivenArticle>): CheckedArticle {
  const article_id = given.article_id.trim()
  const content = wellFormed(given.content.trim())
  const [title, url, date] = [blankToNull(given.title), blankToNull(given.url), blankToNull(given.published_date)]
  const published = date === null ? null : parseMoment(date)
  const errors = [
    ...idErrors(article_id),
    ...fieldErrorsOf(title, url),
    ...contentErrors(content),
    ...(published === null && date !== null
      ? [fieldError('published_date', 'expected an ISO 8601 timestamp or a date')]
      : []),
  ]
  if (errors.length > 0) return { kind: 'refused', errors }
  return { kind: 'article', article: { article_id, title, url, published, content } }
}

const blankToNull = (text: string | null | undefined): string | null => {
  const trimmed = wellFormed(text?.trim() ?? '')
  return trimmed === '' ? null : trimmed
}

const fieldError = (path: string, message: string): FieldError => ({ path, message })

/** Characters that stores do not preserve, so an id with them could not be found again. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

function idErrors(id: string): readonly FieldError[] {
  if (id === '') return [fieldError('article_id', 'must not be blank')]
  if (characters(id) > MAX_ID_CHARACTERS) return [fieldError('article_id', `more than ${MAX_ID_CHARACTERS} characters`)]
  return UNPRINTABLE.test(id) ? [fieldError('article_id', 'holds characters that cannot be printed')] : []
}

function fieldErrorsOf(title: string | null, url: string | null): readonly FieldError[] {
  const long = tooLongField({ title, url, source: null, author: null })
  if (long !== null)
    return [fieldError(long, `more than ${MAX_FIELD_CHARACTERS[long].toLocaleString('en')} characters`)]
  return url !== null && !isArticleUrl(url) ? [fieldError('url', 'is no http(s) address')] : []
}

function contentErrors(content: string): readonly FieldError[] {
  if (content === '') return [fieldError('content', 'must not be blank')]
  const tooLong = content.length > MAX_TEXT_CHARACTERS && characters(content) > MAX_TEXT_CHARACTERS
  return tooLong ? [fieldError('content', `more than ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters`)] : []
}
