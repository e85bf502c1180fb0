import { expect, it } from 'vitest'
import { pollOutcome, type FeedPollOutcome, type FeedPollResponse } from './poll-outcome.ts'

const AT = Date.UTC(2026, 0, 31)
const DAY = 86_400_000
const times = { at: AT, notFoundSince: null }
const response = (status: number, over: Partial<FeedPollResponse> = {}): FeedPollResponse => ({
  status,
  redirects: [],
  headers: {},
  ...over,
})

it.each<[FeedPollResponse | null, FeedPollOutcome]>([
  [response(200), { kind: 'ok' }],
  [response(304), { kind: 'unchanged' }],
  [response(200, { redirects: [301, 308] }), { kind: 'moved' }],
  [response(200, { redirects: [301, 302] }), { kind: 'ok' }],
  [response(200, { redirects: [307] }), { kind: 'ok' }],
  [response(304, { redirects: [301] }), { kind: 'moved' }],
  [response(500, { redirects: [301] }), { kind: 'failed', reason: 'http_status' }],
  [response(410), { kind: 'gone' }],
  [response(429), { kind: 'limited', retryAfterSeconds: null }],
  [response(429, { headers: { 'retry-after': '60' } }), { kind: 'limited', retryAfterSeconds: 60 }],
  [
    response(503, { headers: { 'retry-after': new Date(AT + 5_000).toUTCString() } }),
    { kind: 'limited', retryAfterSeconds: 5 },
  ],
  [response(503), { kind: 'failed', reason: 'http_status' }],
  [response(401), { kind: 'refused' }],
  [response(403), { kind: 'refused' }],
  [response(451), { kind: 'refused' }],
  [response(404), { kind: 'failed', reason: 'not_found' }],
  [response(302), { kind: 'failed', reason: 'http_status' }],
  [null, { kind: 'failed', reason: 'no_response' }],
])('reads %j as %j', (given, outcome) => {
  expect(pollOutcome(given, times)).toEqual(outcome)
})

it('gives up a feed that was not found for 14 days', () => {
  const since = (ms: number) => pollOutcome(response(404), { at: AT, notFoundSince: AT - ms })

  expect(since(14 * DAY - 1)).toEqual({ kind: 'failed', reason: 'not_found' })
  expect(since(14 * DAY)).toEqual({ kind: 'gone' })
  expect(pollOutcome(response(500), { at: AT, notFoundSince: 0 })).toEqual({ kind: 'failed', reason: 'http_status' })
})
