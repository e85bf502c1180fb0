import type { ArticleIngested } from '../../events/articles.ts'
import { canonicalUrl } from '../../events/canonical-url.ts'
import { plainLine, plainText } from '../../language/plain-text.ts'
import { isDate } from './occurred-at.ts'

/** Characters, after trimming. */
export const SHORTEST_TEXT = 100
export const LONGEST_TEXT = 200_000

/** What a reader would see of an article; what was left out or blank is null. */
export interface CleanArticle {
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  readonly text: string
}

export type Refusal =
  'namespace_invalid' | 'url_invalid' | 'published_date_invalid' | 'text_too_long' | 'text_too_short'

/** The article as plain text, or the reason why it is none. */
export function cleaned(article: ArticleIngested): CleanArticle | Refusal {
  const url = blankToNull(article.url?.trim())
  const refusal = refusalOf(article, url)
  if (refusal !== null) return refusal

  const text = plainText(article.text)
  if (text.length < SHORTEST_TEXT) return 'text_too_short'

  return { url, title: line(article.title), source: line(article.source), author: line(article.author), text }
}

function refusalOf({ namespace, published_date, text }: ArticleIngested, url: string | null): Refusal | null {
  if (!/^[a-z0-9-]{3,40}$/.test(namespace)) return 'namespace_invalid'
  if (url !== null && canonicalUrl(url) === null) return 'url_invalid'
  if (published_date !== null && !isDate(published_date)) return 'published_date_invalid'
  return text.trim().length > LONGEST_TEXT ? 'text_too_long' : null
}

const blankToNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)

/** Longer ones are no titles or names, and cost every later reader. */
const LONGEST_LINE = 1_000

/** Cleaned once more after the cut, which may have gone through a character or left a blank at the end. */
const line = (given: string | null): string | null =>
  blankToNull(plainLine(plainLine(given?.slice(0, 10 * LONGEST_LINE) ?? '').slice(0, LONGEST_LINE)))
