import { documentsFetched, type DocumentFetched } from '../../events/sources.ts'
import type { Attempted, Effect, Task } from '../../runtime/shapes.ts'
import { attempted, isEdit, type DocumentInput } from '../../domain/feeds/documents.ts'
import { FEEDS_AGE_MS, type DueDocument, type Fetching } from './due-document.ts'
import { pollFeed } from './poll-feed.ts'
import { hasAllRevisions } from './page-result.ts'
import { endPage, publishEdit, readPage } from './read-page.ts'
import { PAGES_KNOWN_MS } from './read-pages.ts'

/** The consumer group of the effect. */
export const FETCHING = 'fetching'

const MOST_WAITING = 20_000

/**
 * Polls watched feeds and reads the pages that they list, when they are due. Requests to one host are made one after
 * the other, by the one process that has its partition.
 */
export const fetching = (parts: Fetching): Effect<DocumentFetched> => ({
  name: 'feeds',
  group: FETCHING,
  follows: documentsFetched,
  about: ({ document_id }) => document_id,
  progress: ({ attempt }) => attempt,
  dueAt: ({ next_fetch_at }) => next_fetch_at,
  wentWell,
  lane: ({ host, feed }) => (feed === null ? host : `${host} feeds`), // a feed never waits behind many pages
  atOnce: 1,
  mostWaiting: MOST_WAITING,
  state: { observe: (event) => parts.pages.observe(event), retentionMs: PAGES_KNOWN_MS },
  tooMany: (input) => ended(input, parts),
  attempt: (task, signal) => attempt(task, parts, signal),
})

function wentWell({ outcome }: DocumentFetched): boolean | null {
  if (outcome === 'planned' || outcome === 'paused' || outcome === 'cancelled') return null
  return outcome !== 'failed' && outcome !== 'limited'
}

async function attempt(
  task: Task<DocumentFetched>,
  parts: Fetching,
  signal: AbortSignal,
): Promise<Attempted<DocumentFetched>> {
  const input = continued(task.input, parts)
  const feed = (await parts.feeds.within(FEEDS_AGE_MS)).get(input.event.feed_id)
  const event = feed === null ? removed(input, parts.clock.now()) : await fetched({ input, feed, signal }, parts)
  return { event, outcome: event.outcome }
}

/** The end of a document that is not fetched because too many of its host wait. The text of the feed is published. */
async function ended(refused: DocumentInput, parts: Fetching): Promise<DocumentFetched> {
  const input = continued(refused, parts)
  const feed = (await parts.feeds.within(FEEDS_AGE_MS)).get(input.event.feed_id)
  if (feed === null) return removed(input, parts.clock.now())
  if (isPublished(input)) return unread(input, parts.clock.now())
  if (input.event.page !== null && !isEdit(input.event)) return endPage({ input, feed }, parts)
  return attempted(input, parts.clock.now(), { outcome: 'failed', detail: 'too_many_waiting', next_fetch_at: null })
}

const continued = ({ event, place }: DocumentInput, { pages, clock }: Fetching): DocumentInput => ({
  event: pages.continued(event, clock.now()),
  place,
})

const isPublished = ({ event: { page } }: DocumentInput): boolean => page !== null && hasAllRevisions(page)

/** The end of a document whose page has had all its revisions, as this or as other documents. */
const unread = (input: DocumentInput, now: number): DocumentFetched =>
  attempted(input, now, { outcome: 'cancelled', detail: 'most_revisions', next_fetch_at: null })

const removed = (input: DocumentInput, now: number): DocumentFetched =>
  attempted(input, now, { outcome: 'cancelled', detail: 'feed_removed', next_fetch_at: null })

async function fetched(due: DueDocument, parts: Fetching): Promise<DocumentFetched> {
  if (due.input.event.page === null) return pollFeed(due, parts)
  if (isPublished(due.input)) return unread(due.input, parts.clock.now())
  if (due.feed.status === 'paused') return pausedPage(due, parts.clock.now())
  return isEdit(due.input.event) ? publishEdit(due, parts) : readPage(due, parts)
}

const SHORTEST_PAUSE_MS = 600_000
const LONGEST_PAUSE_MS = 86_400_000

/**
 * A page of a paused feed stays due, and is looked up again, without a request, after as long as the feed has been
 * paused: a short pause ends soon for its pages, and a long one writes few events.
 */
function pausedPage({ input, feed }: DueDocument, now: number): DocumentFetched {
  const wait = Math.min(Math.max(now - feed.updated_at, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
  return attempted(input, now, { outcome: 'paused', next_fetch_at: now + wait })
}
