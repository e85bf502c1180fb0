import { expect, it } from 'vitest'
import { heardAt, mayBeBehind, type Burst } from './burst.ts'

const SECOND = 1_000
const burstOf = (...seconds: readonly number[]): Burst =>
  seconds.reduce((burst, at) => heardAt(burst, at * SECOND), { since: -Infinity, last: -Infinity })
/** For how many seconds after its last line a burst is waited for. */
const waitedFor = (burst: Burst): number => {
  let seconds = 0
  while (mayBeBehind(burst, burst.last + seconds * SECOND)) seconds += 1
  return seconds
}

it('waits for as long as lines had been coming', () => {
  expect(waitedFor(burstOf(100))).toBe(0)
  expect(waitedFor(burstOf(100, 105, 110))).toBe(10)
  expect(waitedFor(burstOf(...Array.from({ length: 900 }, (_, i) => i)))).toBe(180)
})

it('begins anew after a pause', () => {
  expect(waitedFor(burstOf(0, 20, 40, 60, 91))).toBe(0)
  expect(waitedFor(burstOf(0, 20, 40, 60, 90))).toBe(90)
})
