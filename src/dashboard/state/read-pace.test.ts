import { expect, it } from 'vitest'
import { allowanceOf, extendBurst, mayLag, paceMs, type Burst } from './read-pace.ts'

const said = (left: number, perMinute: number) =>
  allowanceOf(
    new Headers({ ratelimit: `"default";r=${left};t=1`, 'ratelimit-policy': `"default";q=${perMinute};w=60` }),
  )

it('reads the remaining requests from the response headers', () => {
  expect(said(119, 120)).toEqual({ left: 119, perMinute: 120 })
  expect(allowanceOf(new Headers())).toBeNull()
})

it('reads a list once a second, and spends less than half of a small rate limit on it', () => {
  expect(paceMs(said(12_000, 12_000))).toBe(1_000)
  expect(paceMs(said(120, 120))).toBe(1_250)
  expect(60_000 / paceMs(said(120, 120))).toBeLessThan(60)
})

it('slows down as the allowance ends', () => {
  const paces = [120, 59, 20, 0].map((left) => paceMs(said(left, 120)))

  expect(paces).toEqual([...paces].sort((a, b) => a - b))
  expect(paces.at(-1)).toBe(15_000)
})

const SECOND = 1_000
const burstOf = (...seconds: readonly number[]): Burst =>
  seconds.reduce((burst, at) => extendBurst(burst, at * SECOND), { since: -Infinity, last: -Infinity })
/** Seconds for which lists are read after the last event of a burst. */
const waitedFor = (burst: Burst): number => {
  let seconds = 0
  while (mayLag(burst, burst.last + seconds * SECOND)) seconds += 1
  return seconds
}

it('keeps reading for as long as the burst lasted', () => {
  expect(waitedFor(burstOf(100))).toBe(0)
  expect(waitedFor(burstOf(100, 105, 110))).toBe(10)
  expect(waitedFor(burstOf(...Array.from({ length: 900 }, (_, i) => i)))).toBe(180)
})

it('starts a new burst after a pause', () => {
  expect(waitedFor(burstOf(0, 20, 40, 60, 91))).toBe(0)
  expect(waitedFor(burstOf(0, 20, 40, 60, 90))).toBe(90)
})
