import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextPoll, POLL_LIMITS, type FinishedPoll, type PollState } from './next-poll.ts'

const AT = Date.UTC(2026, 0, 1)
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

const aPoll = (over: Partial<FinishedPoll> = {}): FinishedPoll => ({
  feedId: 'feed_1',
  at: AT,
  outcome: { kind: 'ok' },
  added: 0,
  ttlSeconds: null,
  freshSeconds: null,
  ...over,
})

const aState = (over: Partial<PollState> = {}): PollState => ({
  polls: 10,
  gap_ms: HOUR,
  last_new_at: AT,
  failures: 0,
  not_found_since: null,
  ...over,
})

const waitOf = (poll: FinishedPoll, state: PollState | null): number =>
  (nextPoll(poll, state, POLL_LIMITS).nextAt ?? NaN) - poll.at

/** Within the jitter of ±10 %. */
function expectAbout(wait: number, expected: number): void {
  expect(wait).toBeGreaterThanOrEqual(expected * 0.9)
  expect(wait).toBeLessThanOrEqual(expected * 1.1)
}

describe('nextPoll', () => {
  it('starts at 15 minutes, however many items the first poll finds', () => {
    const first = nextPoll(aPoll({ added: 100 }), null, POLL_LIMITS)

    expectAbout((first.nextAt ?? 0) - AT, 15 * MINUTE)
    expect(first.state).toEqual({ polls: 1, gap_ms: 30 * MINUTE, last_new_at: AT, failures: 0, not_found_since: null })
  })

  it('polls at half of the smoothed gap', () => {
    expectAbout(waitOf(aPoll(), aState()), 30 * MINUTE)

    const found = nextPoll(aPoll({ added: 2 }), aState({ last_new_at: AT - HOUR }), POLL_LIMITS)
    expect(found.state.gap_ms).toBe(0.5 * HOUR + 0.5 * HOUR * 0.8 ** 2)
  })

  it('stays between 2 minutes and 6 hours, or 24 hours after a month without new items', () => {
    expect(waitOf(aPoll({ added: 500 }), aState({ gap_ms: 1, last_new_at: AT - MINUTE }))).toBeLessThanOrEqual(
      2.2 * MINUTE,
    )
    expect(waitOf(aPoll({ added: 500 }), aState({ gap_ms: 1, last_new_at: AT - MINUTE }))).toBeGreaterThanOrEqual(
      2 * MINUTE,
    )
    expectAbout(waitOf(aPoll(), aState({ gap_ms: 20 * DAY })), 6 * HOUR)
    expectAbout(waitOf(aPoll(), aState({ last_new_at: AT - 30 * DAY + 1 })), 6 * HOUR)
    expectAbout(waitOf(aPoll(), aState({ last_new_at: AT - 30 * DAY })), 24 * HOUR)
  })

  it('slows down while a feed is silent, and counts a night as four gaps at most', () => {
    const state = aState({ gap_ms: 10 * MINUTE, last_new_at: AT - 8 * HOUR })

    expectAbout(waitOf(aPoll(), state), HOUR)
    expect(nextPoll(aPoll({ added: 1 }), state, POLL_LIMITS).state.gap_ms).toBe(16 * MINUTE)
  })

  it('obeys the ttl and the freshness of the response, up to an hour', () => {
    const state = aState({ gap_ms: 4 * MINUTE })
    const within = (wait: number, least: number) => {
      expect(wait).toBeGreaterThanOrEqual(least)
      expect(wait).toBeLessThanOrEqual(1.2 * least)
    }

    within(waitOf(aPoll({ ttlSeconds: 1_200 }), state), 20 * MINUTE)
    within(waitOf(aPoll({ freshSeconds: 600 }), state), 10 * MINUTE)
    within(waitOf(aPoll({ freshSeconds: 600, ttlSeconds: 86_400 }), state), HOUR)
    expectAbout(waitOf(aPoll({ ttlSeconds: 60 }), aState()), 30 * MINUTE)
  })

  it('doubles the wait at each failure, up to 24 hours, until a poll succeeds', () => {
    const outcome = { kind: 'failed', reason: 'no_response' } as const
    const waits = [0, 1, 2, 3].map((failures) => waitOf(aPoll({ outcome }), aState({ failures })))

    for (const [index, wait] of waits.entries()) expectAbout(wait, 30 * MINUTE * 2 ** (index + 1))
    expect(waitOf(aPoll({ outcome }), aState({ failures: 1_000 }))).toBeGreaterThanOrEqual(0.9 * DAY)
    expect(waitOf(aPoll({ outcome }), aState({ failures: 1_000 }))).toBeLessThanOrEqual(DAY)
    expectAbout(waitOf(aPoll(), aState({ failures: 1_000 })), 30 * MINUTE)
  })

  it('waits at least for Retry-After, up to 24 hours', () => {
    const limited = (retryAfterSeconds: number | null) => aPoll({ outcome: { kind: 'limited', retryAfterSeconds } })

    expectAbout(waitOf(limited(null), aState()), HOUR)
    expectAbout(waitOf(limited(60), aState()), HOUR)
    expect(waitOf(limited(36_000), aState())).toBe(10 * HOUR)
    expect(waitOf(limited(1e12), aState())).toBe(DAY)
  })

  it('records since when a feed is not found', () => {
    const poll = (outcome: FinishedPoll['outcome'], state: PollState) =>
      nextPoll(aPoll({ outcome }), state, POLL_LIMITS).state.not_found_since
    const notFound = { kind: 'failed', reason: 'not_found' } as const
    const other = { kind: 'failed', reason: 'http_status' } as const

    expect(poll(notFound, aState())).toBe(AT)
    expect(poll(notFound, aState({ not_found_since: 5 }))).toBe(5)
    expect(poll(other, aState({ not_found_since: 5 }))).toBe(5)
    expect(poll(other, aState())).toBeNull()
    expect(poll({ kind: 'unchanged' }, aState({ not_found_since: 5 }))).toBeNull()
  })

  it('does not poll a feed that is gone', () => {
    expect(nextPoll(aPoll({ outcome: { kind: 'gone' } }), aState(), POLL_LIMITS).nextAt).toBeNull()
  })

  it('plans the same time for the same poll, other times for other feeds and polls', () => {
    expect(waitOf(aPoll(), aState())).toBe(waitOf(aPoll(), aState()))
    const waits = [aPoll(), aPoll({ feedId: 'feed_2' })].map((poll) => waitOf(poll, aState()))
    expect(new Set([...waits, waitOf(aPoll(), aState({ polls: 11 }))]).size).toBe(3)
  })

  it('never polls sooner than 2 minutes nor later than a little over 24 hours, whatever happened', () => {
    const outcome = fc.constantFrom<FinishedPoll['outcome']>(
      { kind: 'ok' },
      { kind: 'unchanged' },
      { kind: 'moved' },
      { kind: 'refused' },
      { kind: 'failed', reason: 'http_status' },
      { kind: 'limited', retryAfterSeconds: 1e9 },
    )
    const step = fc.record({
      outcome,
      added: fc.nat(1_000),
      ttlSeconds: fc.option(fc.nat()),
      freshSeconds: fc.option(fc.nat()),
      lateMs: fc.nat(DAY),
    })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let state: PollState | null = null
        let at = AT
        for (const { lateMs, ...over } of steps) {
          const next = nextPoll(aPoll({ at, ...over }), state, POLL_LIMITS)
          const wait = (next.nextAt ?? NaN) - at
          expect(wait).toBeGreaterThanOrEqual(2 * MINUTE)
          expect(wait).toBeLessThanOrEqual(DAY)
          state = next.state
          at += wait + lateMs
        }
      }),
    )
  })
})

/** A feed that publishes at independent times (exponential gaps), by a small generator of pseudo-random numbers. */
function publications(meanGap: number, days: number): readonly number[] {
  const times: number[] = []
  let seed = 7
  for (let at = AT; at < AT + days * DAY;) {
    seed = (seed * 48_271) % 2_147_483_647
    at += -Math.log(seed / 2_147_483_647) * meanGap
    times.push(at)
  }
  return times
}

/** The mean delay of an item and the number of polls per item, after the first day. */
function watch(times: readonly number[], days: number): { readonly delay: number; readonly pollsPerItem: number } {
  const found: { readonly delay: number }[] = []
  let [state, at, polls]: [PollState | null, number, number] = [null, AT, 0]
  let next = 0
  while (at < AT + days * DAY) {
    const begin = next
    while ((times[next] ?? Infinity) <= at) next += 1
    if (at > AT + DAY) found.push(...times.slice(begin, next).map((time) => ({ delay: at - time })))
    if (at > AT + DAY) polls += 1
    const planned = nextPoll(aPoll({ at, added: next - begin }), state, POLL_LIMITS)
    state = planned.state
    at = planned.nextAt ?? Infinity
  }
  const delay = found.reduce((sum, one) => sum + one.delay, 0) / found.length
  return { delay, pollsPerItem: polls / found.length }
}

it.each([
  ['a minute', MINUTE, 8],
  ['10 minutes', 10 * MINUTE, 20],
  ['an hour', HOUR, 60],
  ['6 hours', 6 * HOUR, 200],
])('finds the items of a feed that publishes every %s within half a gap', (_every, gap, days) => {
  const { delay, pollsPerItem } = watch(publications(gap, days), days)

  expect(delay).toBeLessThanOrEqual(Math.max(gap / 2, 1.1 * MINUTE))
  expect(pollsPerItem).toBeLessThanOrEqual(4)
})
