import { canonicalUrl, parsedUrl } from '../../events/canonical-url.ts'
import type { CausedBy, ProducedBy } from '../../events/envelope.ts'
import { contentHash, derivedId, documentId, normalisedText } from '../../events/ids.ts'
import type {
  DocumentFetched,
  DocumentOutcome,
  FeedChanged,
  FeedReading,
  PageItem,
  PageReading,
} from '../../events/sources.ts'

const BY: ProducedBy = { stage: 'feeds', version: '1' }

/** What is known of a feed before its first poll. */
export const UNREAD_FEED: FeedReading = {
  ...{ title: null, format: '', items: 0, new_items: 0, edited_items: 0 },
  ...{ known: Buffer.alloc(0), interval_seconds: 0, gap_ms: 0 },
  ...{ last_new_at: null, not_found_since: null, ttl_seconds: null },
}

/** What a feed that moved continues from: its newest event at the old address. */
export type FeedBefore = Pick<DocumentFetched, 'feed' | 'attempt'>

const NOTHING_BEFORE: FeedBefore = { feed: null, attempt: -1 }

/**
 * Plans a feed: it is polled at once. An earlier event of the same feed at the same address makes this one a duplicate,
 * so it may be written again at any time. A feed that moved keeps its reading, and counts its attempts on: it may move
 * back to an address where it had ended.
 */
export const plannedFeed = (feed: FeedChanged, now: number, before = NOTHING_BEFORE): DocumentFetched => {
  const document_id = documentId(`${feed.feed_id}\n${feed.url}`)
  const document = { ...feed, document_id, feed: before.feed ?? UNREAD_FEED, page: null }
  return planned(document, { now, attempt: before.attempt + 1 })
}

/** A new or edited item of a feed. */
export interface FoundItem {
  readonly url: string
  readonly item: PageItem
}

/** Plans the page of an item. The same item of another feed is the same document; another title is another. */
export function plannedPage({ url, item }: FoundItem, poll: DocumentFetched, now: number): DocumentFetched {
  const { namespace, feed_id } = poll
  const title = normalisedText(item.title ?? '')
  const document_id = documentId([namespace, canonicalUrl(url) ?? url, title].join('\n'))
  return planned({ namespace, feed_id, url, document_id, feed: null, page: unreadPage(item) }, { now, attempt: 0 })
}

/** The reason of a planned document that is only the new text of an item, whose page has its own document. */
export const EDITED = 'edited'

/** Plans that the new text of an item is published, if its page gave no text. Each text is another document. */
export function plannedEdit({ url, item }: FoundItem, poll: DocumentFetched, now: number): DocumentFetched {
  const { namespace, feed_id } = poll
  const document_id = editId({ namespace, url }, item)
  const document = { namespace, feed_id, url, document_id, feed: null, page: unreadPage(item) }
  return { ...planned(document, { now, attempt: 0 }), detail: EDITED }
}

/** Whether a document is the new text of an item. It stays one when it is paused or attempted several times. */
export const isEdit = (event: DocumentFetched): boolean =>
  event.page !== null && event.document_id === editId(event, event.page.item)

function editId({ namespace, url }: Pick<DocumentFetched, 'namespace' | 'url'>, { title, text }: PageItem): string {
  return documentId([namespace, canonicalUrl(url) ?? url, EDITED, contentHash(title, text)].join('\n'))
}

/** What is known of a page before it was read. */
export const unreadPage = (item: PageItem): PageReading => ({
  ...{ item, article_url: null, semantic_hash: null, text_source: null, method: null },
  ...{ paywalled: false, published: 0, first_fetched_at: null },
})

type Document = Pick<DocumentFetched, 'namespace' | 'document_id' | 'feed_id' | 'url' | 'feed' | 'page'>

interface Planned {
  readonly now: number
  /** 0 unless the document continues another. */
  readonly attempt: number
}

const planned = (
  { namespace, document_id, feed_id, url, feed, page }: Document,
  { now, attempt }: Planned,
): DocumentFetched => ({
  event_id: derivedId(BY, `${document_id}\nplanned`, attempt),
  ...{ namespace, occurred_at: now, caused_by: null, produced_by: BY },
  ...{ document_id, feed_id, host: hostOf(url), url, feed, page },
  ...{ attempt, failures: 0, outcome: 'planned', detail: null, status_code: null, duration_ms: 0, bytes: 0 },
  ...{ next_fetch_at: now, etag: null, last_modified: null },
})

/** Host and port in lower case; the text itself if it is not a URL. */
export const hostOf = (url: string): string => parsedUrl(url)?.host ?? url

/** A document's newest event and its position in the log. */
export interface DocumentInput {
  readonly event: DocumentFetched
  readonly place: CausedBy
}

/** What an attempt changes of a document. */
export type DocumentChange = Partial<Omit<DocumentFetched, 'event_id' | 'document_id' | 'attempt' | 'outcome'>> & {
  readonly outcome: DocumentOutcome
  readonly next_fetch_at: number | null
}

/** The event that records an attempt. What the attempt does not change stays as it was. */
export function attempted({ event, place }: DocumentInput, now: number, change: DocumentChange): DocumentFetched {
  const attempt = event.attempt + 1
  return {
    ...event,
    ...{ detail: null, status_code: null, duration_ms: 0, bytes: 0 },
    ...change,
    ...{ event_id: derivedId(BY, `${event.document_id}\n${change.outcome}`, attempt), attempt },
    ...{ occurred_at: Math.round(now), caused_by: place, produced_by: BY },
    next_fetch_at: change.next_fetch_at === null ? null : Math.round(change.next_fetch_at),
  }
}
