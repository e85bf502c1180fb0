import { LRUCache } from 'lru-cache'
import { canonicalUrl } from '../../events/canonical-url.ts'
import type { TextSource } from '../../events/articles.ts'
import type { DocumentFetched } from '../../events/sources.ts'

const MOST_PAGES = 50_000

type PageOfFeed = Pick<DocumentFetched, 'namespace' | 'url'>

/** What the newest text of a page was taken from, by the pages that this process has published. */
export class ReadPages {
  private readonly known = new LRUCache<string, TextSource>({ max: MOST_PAGES })

  observe(page: PageOfFeed, source: TextSource): void {
    this.known.set(keyOf(page), source)
  }

  /** `null` if this process has not published the page. */
  of(page: PageOfFeed): TextSource | null {
    return this.known.get(keyOf(page)) ?? null
  }
}

const keyOf = ({ namespace, url }: PageOfFeed): string => `${namespace}\n${canonicalUrl(url) ?? url}`
