import { documentsFetched, type DocumentFetched } from '../../events/sources.ts'
import type { Attempted, Effect, Task } from '../../runtime/shapes.ts'
import { attempted, isEdit, type DocumentInput } from '../../domain/feeds/documents.ts'
import { FEEDS_AGE_MS, type DueDocument, type Fetching } from './due-document.ts'
import { pollFeed } from './poll-feed.ts'
import { endPage, publishEdit, readPage } from './read-page.ts'

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
  tooMany: (input) => ended(input, parts),
  attempt: (task, signal) => attempt(task, parts, signal),
})

function wentWell({ outcome }: DocumentFetched): boolean | null {
  if (outcome === 'planned' || outcome === 'paused' || outcome === 'cancelled') return null
  return outcome !== 'failed' && outcome !== 'limited'
}

async function attempt(
  { input }: Task<DocumentFetched>,
  parts: Fetching,
  signal: AbortSignal,
): Promise<Attempted<DocumentFetched>> {
  const feed = (await parts.feeds.within(FEEDS_AGE_MS)).get(input.event.feed_id)
  const event = feed === null ? removed(input, parts.clock.now()) : await fetched({ input, feed, signal }, parts)
  return { event, outcome: event.outcome }
}

/** The end of a document that is not fetched because too many of its host wait. The text of the feed is published. */
async function ended(input: DocumentInput, parts: Fetching): Promise<DocumentFetched> {
  const feed = (await parts.feeds.within(FEEDS_AGE_MS)).get(input.event.feed_id)
  if (feed === null) return removed(input, parts.clock.now())
  if (input.event.page !== null && !isEdit(input.event)) return endPage({ input, feed }, parts)
  return attempted(input, parts.clock.now(), { outcome: 'failed', detail: 'too_many_waiting', next_fetch_at: null })
}

const removed = (input: DocumentInput, now: number): DocumentFetched =>
  attempted(input, now, { outcome: 'cancelled', detail: 'feed_removed', next_fetch_at: null })

async function fetched(due: DueDocument, parts: Fetching): Promise<DocumentFetched> {
  if (due.input.event.page === null) return pollFeed(due, parts)
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
