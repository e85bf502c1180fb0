import { LRUCache } from 'lru-cache'
import { canonicalUrl } from '../../events/canonical-url.ts'
import { sha256 } from '../../events/ids.ts'
import type { DocumentFetched, PageReading } from '../../events/sources.ts'

/** Longer than a page is due between two looks, so that a later look at it finds what was published of it. */
export const PAGES_KNOWN_MS = 8 * 86_400_000
/** Some 50 MB. */
const MOST_PAGES = 100_000

/** What was published of a page, of all its documents together. */
type PublishedPage = Pick<PageReading, 'article_url' | 'semantic_hash' | 'text_source' | 'published'>

interface KnownPage extends PublishedPage {
  /** Time of the newest event, milliseconds since 1970. */
  readonly at: number
}

/**
 * What was published of each page in the last days. Each title of an item is another document, and so is each text;
 * their page is one article all the same. A fold over `documents.fetched`: what a document publishes is counted with
 * what was published of its page before, so the newest event of any document of a page is enough to know the page.
 */
export class ReadPages {
  private readonly known = new LRUCache<string, KnownPage>({ max: MOST_PAGES })

  /** Events may be observed repeatedly, and earlier ones after later ones. */
  observe(event: DocumentFetched): void {
    const { page, occurred_at: at } = event
    if (page === null || page.published === 0) return
    const key = keyOf(event)
    const before = this.of(key, at)
    this.known.set(key, before === null ? { ...publishedOf(page), at } : laterOf(before, { ...publishedOf(page), at }))
  }

  /** A document of a page with what was published of the page, also as other documents. */
  continued(event: DocumentFetched, now: number): DocumentFetched {
    const known = event.page === null ? null : this.of(keyOf(event), now)
    if (event.page === null || known === null || known.published < event.page.published) return event
    return { ...event, page: { ...event.page, ...publishedOf(known) } }
  }

  /** `null` after the time for which a restart remembers the page: every process gives the same answer. */
  private of(key: string, now: number): KnownPage | null {
    const known = this.known.get(key)
    return known === undefined || now - known.at > PAGES_KNOWN_MS ? null : known
  }
}

const publishedOf = ({ article_url, semantic_hash, text_source, published }: PublishedPage): PublishedPage => ({
  ...{ article_url, semantic_hash, text_source, published },
})

/** The one with more texts. The article keeps its address. */
const laterOf = (before: KnownPage, now: KnownPage): KnownPage => ({
  ...(before.published > now.published ? before : now),
  article_url: before.article_url,
  at: Math.max(before.at, now.at),
})

/** Shorter than most addresses. */
const keyOf = ({ namespace, url }: DocumentFetched): string =>
  sha256(`${namespace}\n${canonicalUrl(url) ?? url}`).toString('base64url', 0, 15)
