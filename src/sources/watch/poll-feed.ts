import { attempted, plannedFeed } from '../../domain/feeds/documents.ts'
import { watchedAlready } from '../../domain/feeds/new-feed.ts'
import type { DocumentFetched, FeedChanged } from '../../events/sources.ts'
import type { FetchedDocument } from '../../ports/http.ts'
import { documentText } from '../feeds/document-text.ts'
import { FEED_HEADERS } from '../feeds/find-feed.ts'
import { parseFeed } from '../feeds/parse-feed.ts'
import { MAX_FEED_BYTES } from '../feeds/read-feeds.ts'
import { FEEDS_AGE_MS, type DueDocument, type Fetching } from './due-document.ts'
import { foundOf } from './found-items.ts'
import { pollResult, type Poll } from './poll-result.ts'
import { sizesOf, type WebAnswer } from './web.ts'

/** A paused feed is looked up again after this time, without a request. */
const PAUSED_MS = 600_000

/** Polls a feed, publishes what is new in it, and plans the next poll. */
export async function pollFeed(due: DueDocument, parts: Fetching): Promise<DocumentFetched> {
  const { input, feed } = due
  const now = parts.clock.now()
  if (feed.status === 'gone') return attempted(input, now, { outcome: 'gone', next_fetch_at: null })
  if (feed.url !== input.event.url) return moved(due, parts)
  if (feed.status === 'paused') return attempted(input, now, { outcome: 'paused', next_fetch_at: now + PAUSED_MS })
  return polled(due, parts)
}

/** The feed has a new address, on whose host another process may poll it. It continues from what is known. */
async function moved({ input, feed }: DueDocument, { publish, clock }: Fetching): Promise<DocumentFetched> {
  const now = clock.now()
  await publish({ articles: [], documents: [plannedFeed(feed, now, input.event)] })
  return attempted(input, now, { outcome: 'moved', next_fetch_at: null })
}

async function polled({ input, feed, signal }: DueDocument, parts: Fetching): Promise<DocumentFetched> {
  const answer = await parts.web.get({ url: feed.url, headers: conditions(input.event), signal })
  const read = await readFeed(answer, signal, parts)
  const now = parts.clock.now()
  const { change, items, edited, movedTo, ended } = pollResult(input, { answer, ...read, now })

  const title = change.feed?.title ?? null
  await parts.publish(foundOf({ items, edited }, { poll: input.event, feed, title, publishers: parts.publishers, now }))
  if (movedTo !== null && !(await isWatched(movedTo, feed, parts))) await changeFeed(feed, { url: movedTo }, parts)
  if (ended !== null) await changeFeed(feed, { status: 'gone', status_reason: ended }, parts)
  return attempted(input, now, { ...change, ...sizesOf(answer) })
}

const conditions = ({ etag, last_modified }: DocumentFetched): Record<string, string> => ({
  ...FEED_HEADERS,
  ...(etag !== null && { 'if-none-match': etag }),
  ...(last_modified !== null && { 'if-modified-since': last_modified }),
})

/** Newest children of a sitemap index that are read with it. */
const CHILDREN = 2

/** The feed in a response, with the newest children of a sitemap index. */
async function readFeed(
  answer: WebAnswer,
  signal: AbortSignal,
  { web }: Fetching,
): Promise<Pick<Poll, 'parsed' | 'isComplete'>> {
  const feed = parsedIn(answer)
  if (feed === null || typeof feed === 'string') return { parsed: feed, isComplete: true }
  const items = [...feed.items]
  let isComplete = true
  for (const child of feed.sitemaps.slice(0, CHILDREN)) {
    const found = parsedIn(await web.get({ url: child.url, headers: FEED_HEADERS, signal }))
    if (found !== null && typeof found !== 'string') items.push(...found.items)
    else isComplete = false
  }
  return { parsed: { ...feed, items }, isComplete }
}

/** `null` if there is no document to be read. */
function parsedIn(answer: WebAnswer): Poll['parsed'] {
  const isRead = answer.kind === 'answer' && answer.document.status >= 200 && answer.document.status <= 299
  return isRead ? parsedDocument(answer.document) : null
}

function parsedDocument({ url, headers, body }: FetchedDocument): Poll['parsed'] {
  try {
    const text = documentText(body, headers['content-type'], MAX_FEED_BYTES)
    return parseFeed(text, url) ?? 'not_a_feed'
  } catch {
    return 'unreadable'
  }
}

/** Whether another feed of the namespace has the address. */
async function isWatched(url: string, { namespace, feed_id }: FeedChanged, { feeds }: Fetching): Promise<boolean> {
  const all = (await feeds.within(FEEDS_AGE_MS)).of(namespace)
  const others = all.filter((other) => other.feed_id !== feed_id)
  return watchedAlready(others, url) !== undefined
}

/** A concurrent change of the address is kept. */
const changeFeed = (feed: FeedChanged, change: Partial<FeedChanged>, parts: Fetching): Promise<void> =>
  parts.change(feed.feed_id, {
    refusal: (now) => (now?.url === feed.url ? null : 'left_alone'),
    become: (now) => ({ ...now, ...change, updated_at: parts.clock.now() }),
  })
