/** An item of a feed that was read once. */
export interface SampleItem {
  readonly title: string | null
  readonly url: string | null
  /** Milliseconds since 1970. */
  readonly published_date: number | null
}

/**
 * Whether robots.txt allows to read the pages of the sample. `unknown`: a robots.txt could not be read. `none`: the
 * items have no pages.
 */
export type PagePermission = 'allowed' | 'partly' | 'forbidden' | 'unknown' | 'none'

/** A feed that was read once, at its own address. */
export interface TestedFeed {
  readonly kind: 'feed'
  readonly url: string
  /** `rss`, `atom`, `rdf`, `json`, `sitemap`, `news-sitemap` or `sitemap-index`. */
  readonly format: string
  readonly title: string | null
  /** Number of items. */
  readonly items: number
  /** Milliseconds since 1970; `null` if no item has a date. */
  readonly newest_item_at: number | null
  /** Of the items' texts. */
  readonly median_characters: number
  /** Newest items. */
  readonly sample: readonly SampleItem[]
  readonly pages: PagePermission
}

/** Why an address gives no feed, as a sentence. */
export interface NoFeed {
  readonly kind: 'none'
  readonly error: string
}

/** Reads feeds of addresses from external input: public addresses only, within a time limit. Never throws. */
export interface FeedFinder {
  /** The address of the feed at an address, or of the feed of the site whose page it is. */
  find(address: string): Promise<{ readonly kind: 'feed'; readonly url: string } | NoFeed>
  /** Reads the feed and the robots.txt of its newest items. */
  test(address: string): Promise<TestedFeed | NoFeed>
}
