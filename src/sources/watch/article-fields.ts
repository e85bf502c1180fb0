import { hostOf } from '../../domain/feeds/documents.ts'
import type { Fields } from '../../domain/intake/articles.ts'
import type { PageItem } from '../../events/sources.ts'
import type { ExtractedArticle } from '../../language/extraction/extract-article.ts'
import { plainText } from '../../language/plain-text.ts'

/** The fields of an article before the intake. */
type UncheckedFields = Readonly<Record<keyof Fields, string | null>>

/** What is known of a page that no feed lists. */
export const NO_ITEM: PageItem = {
  ...{ title: null, author: null, published_date: null },
  ...{ source: null, feed_title: null, text: '' },
}

type ReadPage = ExtractedArticle & { readonly url: string }

/** The article of a page; what the page does not say is taken from its item. `source`: the outlet, if it is given. */
export const articleOfPage = (item: PageItem, page: ReadPage, source: string | null): UncheckedFields => ({
  url: page.url,
  title: page.title ?? item.title,
  author: page.author ?? item.author,
  source: source ?? item.source ?? page.publisher ?? item.feed_title ?? hostOf(page.url),
  published_date: page.published_date ?? isoDate(item.published_date),
  text: page.text,
})

interface ItemOrigin {
  /** Address of the article; `null` if the item has no page. */
  readonly url: string | null
  /** The outlet, if it is given. */
  readonly source: string | null
  /** Of the page, or else of the feed: the outlet if nothing names one. */
  readonly host: string
}

/** The article that the item of a feed is without its page. */
export const articleOfItem = (item: PageItem, { url, source, host }: ItemOrigin): UncheckedFields => ({
  url,
  title: item.title,
  author: item.author,
  source: source ?? item.source ?? item.feed_title ?? host,
  published_date: isoDate(item.published_date),
  text: plainText(item.text),
})

const isoDate = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
