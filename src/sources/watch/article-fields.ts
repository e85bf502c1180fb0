import { hostOf } from '../../domain/feeds/documents.ts'
import type { Fields } from '../../domain/intake/articles.ts'
import type { PageItem } from '../../events/sources.ts'
import type { ExtractedArticle } from '../../language/extraction/extract-article.ts'
import { plainText } from '../../language/plain-text.ts'
import { outletName } from './outlet-name.ts'

/** The fields of an article before the intake. */
type UncheckedFields = Readonly<Record<keyof Fields, string | null>>

/** What is known of a page that no feed lists. */
export const NO_ITEM: PageItem = {
  ...{ title: null, author: null, published_date: null },
  ...{ source: null, feed_title: null, text: '' },
}

type ReadPage = ExtractedArticle & { readonly url: string }

/** What names the outlet beside page and item; `null`: it does not. */
export interface KnownOutlet {
  /** The owner of the feed. */
  readonly source: string | null
  /** Other pages of the site. */
  readonly site: string | null
}

/** The article of a page; what the page does not say is taken from its item. */
export const articleOfPage = (item: PageItem, page: ReadPage, { source, site }: KnownOutlet): UncheckedFields => ({
  url: page.url,
  title: page.title ?? item.title,
  author: page.author ?? item.author,
  source: outletName({
    ...{ given: source, item: item.source, page: page.publisher, site, feedTitle: item.feed_title },
    host: hostOf(page.url),
  }),
  published_date: page.published_date ?? isoDate(item.published_date),
  text: page.text,
})

interface ItemOrigin extends KnownOutlet {
  /** Address of the article; `null` if the item has no page. */
  readonly url: string | null
  /** Of the page, or else of the feed. */
  readonly host: string
}

/** The article that the item of a feed is without its page. */
export const articleOfItem = (item: PageItem, { url, source, site, host }: ItemOrigin): UncheckedFields => ({
  url,
  title: item.title,
  author: item.author,
  source: outletName({ given: source, item: item.source, page: null, site, feedTitle: item.feed_title, host }),
  published_date: isoDate(item.published_date),
  text: plainText(item.text),
})

const isoDate = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
