import { responseKind, waitSeconds, type RequestResponse, type ResponseKind } from './response-kind.ts'

/** The response to a poll of a feed. */
export interface FeedPollResponse extends RequestResponse {
  /** The statuses of the redirects before it. */
  readonly redirects: readonly number[]
}

export type FeedPollOutcome =
  | { readonly kind: 'ok' }
  /** The document is the same as at the last poll. */
  | { readonly kind: 'unchanged' }
  /** Like `ok`. If the document is a feed, poll the new address from now on. */
  | { readonly kind: 'moved' }
  /** Stop polling. */
  | { readonly kind: 'gone' }
  /** `null` if the server does not name a time. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly reason: PollFailure }

/** `not_a_feed`: the caller found that the document is none. */
export type PollFailure = 'no_response' | 'not_found' | 'http_status' | 'not_a_feed'

export interface PollTimes {
  /** The time of the poll, in milliseconds since 1970. */
  readonly at: number
  /** When the feed was first not found since the last success (`PollState`); `null` if it was found. */
  readonly notFoundSince: number | null
}

const NOT_FOUND_LIMIT_MS = 14 * 86_400_000

/**
 * What a response means for the polls of a feed; `null` stands for no response. A feed has moved if every redirect was
 * permanent (301 or 308, RFC 9110, 15.4) and the last response has a document, or says that it is the known one; 410 means that it is gone
 * (feedparser.readthedocs.io, "HTTP redirects"; FreshRSS pull request 3561). 404 may be a mistake of the site and means
 * the same after 14 days.
 */
export function pollOutcome(response: FeedPollResponse | null, times: PollTimes): FeedPollOutcome {
  if (response === null) return { kind: 'failed', reason: 'no_response' }
  return OUTCOMES[responseKind(response)](response, times)
}

type Outcomes = Readonly<Record<ResponseKind, (response: FeedPollResponse, times: PollTimes) => FeedPollOutcome>>

const OUTCOMES: Outcomes = {
  document: ({ redirects }) => ({ kind: hasMoved(redirects) ? 'moved' : 'ok' }),
  unchanged: ({ redirects }) => ({ kind: hasMoved(redirects) ? 'moved' : 'unchanged' }),
  limited: (response, { at }) => ({ kind: 'limited', retryAfterSeconds: waitSeconds(response, at) }),
  refused: () => ({ kind: 'refused' }),
  not_found: (_, { at, notFoundSince }) => notFound(at - (notFoundSince ?? at)),
  gone: () => ({ kind: 'gone' }),
  failed: () => ({ kind: 'failed', reason: 'http_status' }),
}

const notFound = (sinceMs: number): FeedPollOutcome =>
  sinceMs >= NOT_FOUND_LIMIT_MS ? { kind: 'gone' } : { kind: 'failed', reason: 'not_found' }

export const hasMoved = (redirects: readonly number[]): boolean =>
  redirects.length > 0 && redirects.every((status) => status === 301 || status === 308)
