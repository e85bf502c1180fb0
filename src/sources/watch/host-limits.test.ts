import { expect, it } from 'vitest'
import { HostLimits } from './host-limits.ts'

const MINUTE_MS = 60_000

/** The limits of a host after responses a minute apart, and how long it is left alone then. */
function after(...responses: readonly (readonly [status: number, retryAfter?: string])[]) {
  let now = 0
  const limits = new HostLimits({ now: () => now })
  for (const [status, retryAfter] of responses) {
    now += MINUTE_MS
    limits.observe('a.example', { status, headers: { 'retry-after': retryAfter } })
  }
  return { waitMs: limits.waitMs('a.example'), otherMs: limits.waitMs('b.example') }
}

it('leaves a host alone for as long as it asks, a day at most, and no other', () => {
  expect(after([429, '120'])).toEqual({ waitMs: 2 * MINUTE_MS, otherMs: 0 })
  expect(after([503, '120'])).toMatchObject({ waitMs: 2 * MINUTE_MS })
  expect(after([429, '999999']).waitMs).toBe(24 * 60 * MINUTE_MS)
})

it('waits ever longer where the host names no time, an hour at most', () => {
  expect(after([429]).waitMs).toBe(MINUTE_MS)
  expect(after([429], [429], [429]).waitMs).toBe(4 * MINUTE_MS)
  expect(after(...Array.from({ length: 99 }, () => [429] as const)).waitMs).toBe(60 * MINUTE_MS)
})

it('requests a host again that gave another response', () => {
  expect(after([429, '600'], [200]).waitMs).toBe(0)
  expect(after([429], [429], [404], [429]).waitMs).toBe(MINUTE_MS)
})

it('takes 503 without a time for a failure of one document', () => {
  expect(after([503]).waitMs).toBe(0)
})
