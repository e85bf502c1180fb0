import { UNREAD_FEED, type DocumentChange, type DocumentInput } from '../../domain/feeds/documents.ts'
import { feedUrlProblem } from '../../domain/feeds/new-feed.ts'
import type { DocumentFetched, DocumentOutcome, FeedReading } from '../../events/sources.ts'
import type { FetchedDocument } from '../../ports/http.ts'
import { FIRST_POLL, newItems } from '../feeds/new-items.ts'
import { nextPoll, POLL_LIMITS, type PollState } from '../feeds/next-poll.ts'
import type { FeedItem, ParsedFeed } from '../feeds/parsed-feed.ts'
import { freshSeconds } from '../feeds/fresh-seconds.ts'
import { pollOutcome, type FeedPollOutcome } from '../feeds/poll-outcome.ts'
import { boundedLine } from './bounded-line.ts'
import type { WebAnswer } from './web.ts'

/** Later edits of an item are not published. */
const MOST_EDITS = 5

/** A poll that ended. `parsed`: the feed in the response; a constant if there is none. */
export interface Poll {
  readonly answer: WebAnswer
  readonly parsed: ParsedFeed | 'not_a_feed' | 'unreadable' | null
  /** `false` if a document that the feed consists of could not be read. */
  readonly isComplete: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface FeedPollResult {
  readonly change: DocumentChange
  /** New and edited items. */
  readonly items: readonly FeedItem[]
  /** The edited ones of them. */
  readonly edited: readonly FeedItem[]
  /** The new address of the feed; `null` if it has not moved, or cannot be watched there. */
  readonly movedTo: string | null
  /** Why the feed has ended; `null` if it has not. */
  readonly ended: 'gone' | 'not_found' | null
}

/** What a poll means: the new items, when the feed is polled next, and whether it moved or ended. */
export function pollResult({ event }: DocumentInput, poll: Poll): FeedPollResult {
  const before = event.feed ?? UNREAD_FEED
  const outcome = outcomeOf(before, poll)
  const { reading, items, edited } = readingOf(before, { ...poll, outcome })
  const { nextAt, state } = nextPoll(
    finished(event, { ...poll, outcome }, reading),
    stateOf(event, before),
    POLL_LIMITS,
  )
  const feed: FeedReading = {
    ...reading,
    interval_seconds: nextAt === null ? 0 : Math.round((nextAt - poll.now) / 1000),
    gap_ms: state.gap_ms,
    last_new_at: state.last_new_at,
    not_found_since: state.not_found_since,
  }
  const change = {
    ...said(outcome, poll),
    failures: state.failures,
    next_fetch_at: nextAt,
    feed,
    ...validators(before, poll),
  }
  return { change, items, edited, movedTo: movedTo(outcome, poll), ended: endOf(outcome, poll) }
}

function outcomeOf({ not_found_since }: FeedReading, { answer, parsed, now }: Poll): FeedPollOutcome {
  if (answer.kind === 'held') return { kind: 'limited', retryAfterSeconds: Math.ceil(answer.waitMs / 1000) }
  if (answer.kind !== 'answer') return { kind: 'failed', reason: 'no_response' }
  const outcome = pollOutcome(answer.document, { at: now, notFoundSince: not_found_since })
  const isRead = outcome.kind === 'ok' || outcome.kind === 'moved'
  return isRead && typeof parsed !== 'object' ? { kind: 'failed', reason: 'not_a_feed' } : outcome
}

interface DecidedPoll extends Poll {
  readonly outcome: FeedPollOutcome
}

function readingOf(before: FeedReading, { parsed, outcome, isComplete, now }: DecidedPoll) {
  const isRead = outcome.kind === 'ok' || outcome.kind === 'moved'
  if (!isRead || parsed === null || typeof parsed === 'string') {
    return { reading: { ...before, new_items: 0, edited_items: 0 }, items: [], edited: [] }
  }
  const isFirst = before.format === ''
  const known = before.known.length === 0 ? null : before.known
  const { added, edited, remembered } = newItems(parsed, known, { at: now, ...FIRST_POLL, isFirstAgain: isFirst })
  const { ttl_seconds } = parsed
  const title = boundedLine(parsed.title, 'title')
  // empty until all of the feed was read: what was missing is new at the next poll
  const format = isFirst && !isComplete ? '' : parsed.format
  const counts = { items: parsed.items.length, new_items: added.length, edited_items: edited.length }
  const again = edited.flatMap(({ item, edits }) => (edits > MOST_EDITS ? [] : [item]))
  return {
    reading: { ...before, title, format, ttl_seconds, ...counts, known: remembered },
    items: [...added, ...again],
    edited: again,
  }
}

/** `null` before the first poll. */
const stateOf = ({ attempt, failures }: DocumentFetched, { gap_ms, ...reading }: FeedReading): PollState | null =>
  gap_ms === 0 ? null : { polls: attempt, gap_ms, failures, ...reading }

const finished = ({ feed_id }: DocumentFetched, { answer, outcome, now }: DecidedPoll, reading: FeedReading) => ({
  ...{ feedId: feed_id, at: now, outcome, added: reading.new_items, ttlSeconds: reading.ttl_seconds },
  freshSeconds: answer.kind === 'answer' ? freshSeconds(answer.document.headers, now) : null,
})

const OUTCOMES = {
  ...{ ok: 'ok', moved: 'ok', unchanged: 'unchanged', gone: 'gone', limited: 'limited', refused: 'refused' },
  failed: 'failed',
} as const satisfies Readonly<Record<FeedPollOutcome['kind'], DocumentOutcome>>

function said(outcome: FeedPollOutcome, { answer, parsed }: Poll) {
  const isFine = outcome.kind === 'ok' || outcome.kind === 'moved' || outcome.kind === 'unchanged'
  return { outcome: OUTCOMES[outcome.kind], detail: isFine ? null : detailOf(answer, parsed) }
}

function detailOf(answer: WebAnswer, parsed: Poll['parsed']): string {
  if (answer.kind !== 'answer') return answer.detail
  return typeof parsed === 'string' ? parsed : `http_${answer.document.status}`
}

/**
 * The validators of a response that was read; without one, those of before are kept. None if a part of the feed is
 * missing, and none of a sitemap index: after 304 the documents that it names would not be read.
 */
function validators(before: FeedReading, { answer, parsed, isComplete }: Poll) {
  const read = parsed === null || typeof parsed === 'string' ? null : parsed
  if (!isComplete || (read ?? before).format === 'sitemap-index') return NO_VALIDATORS
  return answer.kind === 'answer' && read !== null ? validatorsIn(answer.document) : {}
}

const NO_VALIDATORS = { etag: null, last_modified: null }

function validatorsIn({ headers }: FetchedDocument) {
  const { etag = null, 'last-modified': last_modified = null } = headers
  return { etag, last_modified }
}

/** An address that cannot be watched, such as one with a password, is not taken. */
function movedTo(outcome: FeedPollOutcome, { answer }: Poll): string | null {
  if (outcome.kind !== 'moved' || answer.kind !== 'answer') return null
  return feedUrlProblem(answer.document.url) === null ? answer.document.url : null
}

function endOf(outcome: FeedPollOutcome, { answer }: Poll): FeedPollResult['ended'] {
  if (outcome.kind !== 'gone') return null
  return answer.kind === 'answer' && answer.document.status === 404 ? 'not_found' : 'gone'
}
