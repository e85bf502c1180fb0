import { decodePage } from '../../language/extraction/decode-page.ts'
import { extractArticle, type ExtractedArticle } from '../../language/extraction/extract-article.ts'
import type { ExtractionFailure } from './archive-reason.ts'
import type { ArchivedPage } from './archived-page.ts'
import { pageBytes } from './page-bytes.ts'

export type PageExtraction =
  | { readonly kind: 'article'; readonly article: ExtractedArticle }
  | { readonly kind: 'skipped'; readonly reason: 'too_large' | ExtractionFailure }

/** Extracts pages, several at once; never rejects because of a page. */
export interface PageExtractor {
  /** How many pages are extracted at once. */
  readonly workers: number
  extract(page: ArchivedPage): Promise<PageExtraction>
  close(): Promise<void>
}

/** The article of an archived or watched page; its text may be empty. The crawl is the latest time at which it can have been published. */
export function extractPage(page: ArchivedPage): PageExtraction {
  const bytes = pageBytes(page.body, page)
  if (bytes === null) return { kind: 'skipped', reason: 'too_large' }
  const article = extractArticle(decodePage(bytes, page.contentType), { url: page.url, now: page.crawledAt })
  return { kind: 'article', article }
}
