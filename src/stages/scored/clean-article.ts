import type { ArticleIngested } from '../../events/articles.ts'
import {
  isArticleUrl,
  isMoment,
  isNamespace,
  textRefusal,
  tooLongField,
  type IntakeRefusal,
} from '../../domain/intake/articles.ts'
import { plainText, shortLine } from '../../language/plain-text.ts'

/** The visible parts of an article; `null` if missing or blank. */
export interface CleanArticle {
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  readonly text: string
}

/** The intake rules, checked again, and rules that only a foreign producer can break. */
export type ArticleRefusal = IntakeRefusal | 'namespace_invalid' | 'job_id_invalid'

/**
 * The article as plain text, or the reason why it is rejected. The text limits apply both to the text as given and to
 * the text without mark-up.
 */
export function cleaned(article: ArticleIngested): CleanArticle | ArticleRefusal {
  const url = blankToNull(article.url?.trim())
  const refusal = refusalOf(article, url)
  if (refusal !== null) return refusal

  const text = plainText(article.text)
  return (
    textRefusal(text) ?? {
      url,
      title: shortLine(article.title),
      source: shortLine(article.source),
      author: shortLine(article.author),
      text,
    }
  )
}

/** Generated ids have 42 characters. The id is part of every event about the article. */
const MAX_JOB_ID_CHARACTERS = 200

function refusalOf(article: ArticleIngested, url: string | null): ArticleRefusal | null {
  const { namespace, job_id, published_date, text } = article
  if (!isNamespace(namespace)) return 'namespace_invalid'
  if (!isJobId(job_id)) return 'job_id_invalid'
  const long = tooLongField(article)
  if (long !== null) return `${long}_too_long`
  if (url !== null && !isArticleUrl(url)) return 'url_invalid'
  if (published_date !== null && !isMoment(published_date)) return 'published_date_invalid'
  return textRefusal(text)
}

const isJobId = (id: string | null): boolean => id === null || id.length <= MAX_JOB_ID_CHARACTERS

const blankToNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)
