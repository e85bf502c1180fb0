import type { PageItem } from '../events/sources.ts'
import { hostOf } from '../domain/feeds/documents.ts'
import type { ExtractedArticle } from '../language/extraction/extract-article.ts'

export interface PageOrigin {
  /** What a feed said of the page. */
  readonly item: PageItem
  /** The outlet, if the owner of the feed named one. */
  readonly source: string | null
}

/** A page of which nothing is known but its address. */
export const NO_ITEM: PageItem = {
  ...{ title: null, author: null, published_date: null },
  ...{ source: null, feed_title: null, text: '' },
}

/** The fields of an article that was extracted from the page at `url`, for intake. */
export const pageFields = (
  page: ExtractedArticle & { readonly url: string },
  { item, source }: PageOrigin = { item: NO_ITEM, source: null },
) => ({
  url: page.url,
  title: page.title ?? item.title,
  author: page.author ?? item.author,
  source: first(source, item.source, page.publisher, item.feed_title) ?? hostOf(page.url),
  published_date: page.published_date ?? iso(item.published_date),
  text: page.text,
})

const first = (...names: readonly (string | null)[]): string | null => names.find((name) => name !== null) ?? null

/** ISO 8601 of milliseconds since 1970. */
export const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
