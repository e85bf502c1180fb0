import type { TextSource } from './articles.ts'
import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

export type FeedStatus = 'active' | 'paused' | 'gone'

/** `feeds.changed`: a watched feed in its current state; a tombstone if it was removed. */
export interface FeedChanged {
  readonly feed_id: string
  readonly namespace: string
  /** Address that is polled. Replaced when the server answers with a permanent redirect. */
  readonly url: string
  /** Outlet of its articles; `null`: as the page or the feed names it. */
  readonly source: string | null
  /** Whether the pages of its items are fetched; otherwise the text of the feed is the article. */
  readonly full_text: boolean
  readonly status: FeedStatus
  /** A constant: `gone` (answered 410), `not_found` (404 for 14 days); `null` unless the status is `gone`. */
  readonly status_reason: string | null
  /** The key that added it; empty if an operator did. */
  readonly key_id: string
  readonly created_at: number
  readonly updated_at: number
}

/**
 * `planned`: not fetched yet. `ok`; `unchanged` (304, or the same text). `not_an_article`: a page without an article,
 * or whose text is not accepted. `moved`: the feed has a new address. `gone`: 410. `limited`: 429, or 503 with `Retry-After`. `refused`: by
 * robots.txt or with 401, 403 or 451. `failed`: anything else. `paused`: the feed is paused. `cancelled`: the feed was
 * removed, or the page needs no further attempt: it was published as another document.
 */
export type DocumentOutcome =
  | 'planned'
  | 'ok'
  | 'unchanged'
  | 'not_an_article'
  | 'moved'
  | 'gone'
  | 'limited'
  | 'refused'
  | 'failed'
  | 'paused'
  | 'cancelled'

/** What a feed contained when it was last read, and what the next poll continues from. */
export interface FeedReading {
  readonly title: string | null
  /** `rss`, `atom`, `rdf`, `json`, `sitemap`, `news-sitemap` or `sitemap-index`; empty before the first complete one. */
  readonly format: string
  readonly items: number
  readonly new_items: number
  readonly edited_items: number
  /** The remembered items, see `src/sources/feeds/remembered-items.ts`. */
  readonly known: Buffer
  /** The time from the last poll to the next. */
  readonly interval_seconds: number
  /** Smoothed time between new items, milliseconds; 0 before the first poll. */
  readonly gap_ms: number
  /** The last poll with a new item, or the first that succeeded, milliseconds since 1970; `null` before. */
  readonly last_new_at: number | null
  /** The first 404 since the last success, milliseconds since 1970; `null` if there is none. */
  readonly not_found_since: number | null
  /** How long the publisher suggests to wait between polls; `null` if it suggests nothing. */
  readonly ttl_seconds: number | null
}

/** An item of a feed: what is published if its page gives no article. */
export interface PageItem {
  readonly title: string | null
  readonly author: string | null
  readonly published_date: number | null
  /** Outlet, if the feed names one for the item. */
  readonly source: string | null
  /** Title of the feed: the outlet if nothing else names one. */
  readonly feed_title: string | null
  /** HTML or plain text as the feed gives it; empty once the page was published. */
  readonly text: string
}

/** What was published of a page, of all its documents together, when this one was attempted last. */
export interface PageReading {
  readonly item: PageItem
  /** URL under which the article was published, the same for all revisions; `null` before. */
  readonly article_url: string | null
  /** Of the newest text that was published; `null` before. */
  readonly semantic_hash: string | null
  /** `page` or `feed`: what the published text was taken from; `null` before. */
  readonly text_source: TextSource | null
  /** How the text was found in the page, such as `json-ld`; `null` if it was not. */
  readonly method: string | null
  readonly paywalled: boolean
  /** Texts that were published; each after the first is a revision. */
  readonly published: number
  /** When it was first fetched, milliseconds since 1970; `null` before. */
  readonly first_fetched_at: number | null
}

/**
 * `documents.fetched`: the state of a feed or of a page that is fetched. The newest event of a document contains its
 * complete state, so that a new owner of the partition needs no other.
 */
export interface DocumentFetched extends Envelope {
  readonly document_id: string
  readonly feed_id: string
  /** Host of the URL: requests to one host are made one after the other. */
  readonly host: string
  readonly url: string
  /** Attempts so far; a feed that moved counts on from its old address. */
  readonly attempt: number
  /** Failed attempts since the last success. */
  readonly failures: number
  readonly outcome: DocumentOutcome
  /** A constant that gives the reason, such as `http_503`; `null` if there is none. */
  readonly detail: string | null
  readonly status_code: number | null
  readonly duration_ms: number
  readonly bytes: number
  /** Milliseconds since 1970; `null` if there is no further attempt. */
  readonly next_fetch_at: number | null
  /** Validators of the last response, for a conditional request (RFC 9110). */
  readonly etag: string | null
  readonly last_modified: string | null
  /** Of a feed; exactly one of `feed` and `page` is set. */
  readonly feed: FeedReading | null
  readonly page: PageReading | null
}

/** The longest time between two attempts: the last look at a page, seven days after the first, plus jitter. */
const LONGEST_WAIT_MS = 8 * 86_400_000

export const feedsChanged = topic<FeedChanged>('feeds.changed', (e) => e.feed_id, timesIn('created_at', 'updated_at'))
export const documentsFetched = topic<DocumentFetched>(
  'documents.fetched',
  (e) => e.host,
  ({ occurred_at, next_fetch_at }, bound) => ({
    occurred_at: bound(occurred_at),
    next_fetch_at: next_fetch_at === null ? null : bound(next_fetch_at - LONGEST_WAIT_MS) + LONGEST_WAIT_MS,
  }),
)
