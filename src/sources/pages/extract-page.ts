import { decodePage } from '../../language/extraction/decode-page.ts'
import { extractArticle, type ExtractedArticle } from '../../language/extraction/extract-article.ts'
import { pageBytes, type BodyEncoding } from './page-bytes.ts'

/** A page as it was crawled. */
export interface CrawledPage extends BodyEncoding {
  readonly url: string
  /** Milliseconds since 1970. */
  readonly crawledAt: number
  readonly contentType: string | null
  /** As stored; see `pageBytes`. */
  readonly body: Uint8Array
}

export type ExtractionFailure =
  /** The process that read the page ended, or the extraction threw an error. */
  'extraction_failed' | 'extraction_timeout'

export type PageExtraction =
  | { readonly kind: 'article'; readonly article: ExtractedArticle }
  | { readonly kind: 'skipped'; readonly reason: 'too_large' | ExtractionFailure }

/** Extracts pages, several at once; never rejects because of a page. */
export interface PageExtractor {
  /** How many pages are extracted at once. */
  readonly workers: number
  extract(page: CrawledPage): Promise<PageExtraction>
  close(): Promise<void>
}

/** The article of an archived or watched page; its text may be empty. The crawl is the latest time at which it can have been published. */
export function extractPage(page: CrawledPage): PageExtraction {
  const bytes = pageBytes(page.body, page)
  if (bytes === null) return { kind: 'skipped', reason: 'too_large' }
  const article = extractArticle(decodePage(bytes, page.contentType), { url: page.url, now: page.crawledAt })
  return { kind: 'article', article }
}
