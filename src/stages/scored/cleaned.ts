import type { ArticleIngested } from '../../events/articles.ts'
import { isArticleUrl, isMoment, isNamespace, textRefusal } from '../../events/intake-rules.ts'
import { plainLine, plainText } from '../../language/plain-text.ts'

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

/** The article as plain text, or the reason why it is none. A text counts as given and once more without its mark-up. */
export function cleaned(article: ArticleIngested): CleanArticle | Refusal {
  const url = blankToNull(article.url?.trim())
  const refusal = refusalOf(article, url)
  if (refusal !== null) return refusal

  const text = plainText(article.text)
  return (
    textRefusal(text) ?? {
      url,
      title: line(article.title),
      source: line(article.source),
      author: line(article.author),
      text,
    }
  )
}

function refusalOf({ namespace, published_date, text }: ArticleIngested, url: string | null): Refusal | null {
  if (!isNamespace(namespace)) return 'namespace_invalid'
  if (url !== null && !isArticleUrl(url)) return 'url_invalid'
  if (published_date !== null && !isMoment(published_date)) return 'published_date_invalid'
  return textRefusal(text)
}

const blankToNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)

/** Longer ones are no titles or names, and cost every later reader. */
const LONGEST_LINE = 1_000

/** Cleaned once more after the cut, which may have gone through a character or left a blank at the end. */
const line = (given: string | null): string | null =>
  blankToNull(plainLine(plainLine(given?.slice(0, 10 * LONGEST_LINE) ?? '').slice(0, LONGEST_LINE)))
