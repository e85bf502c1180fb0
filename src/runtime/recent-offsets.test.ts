import { expect, it } from 'vitest'
import { RecentOffsets } from './recent-offsets.ts'

const HOUR_MS = 3_600_000
const START = 470_000 * HOUR_MS

it('is the offset of the first record within the time, or up to an hour before', () => {
  const recent = new RecentOffsets(2 * HOUR_MS)
  for (let offset = 0; offset < 12; offset++) recent.observe(offset, START + offset * (HOUR_MS / 2))

  expect([5, 5.5, 7, 8].map((hours) => recent.first(START + hours * HOUR_MS))).toEqual([6, 6, 10, null])
})

it('is null where nothing was logged', () => {
  expect(new RecentOffsets(HOUR_MS).first(START)).toBeNull()
})

it('does not rely on clocks that never go back', () => {
  const recent = new RecentOffsets(HOUR_MS)
  for (const [offset, hours] of [2, 1, 3].entries()) recent.observe(offset, START + hours * HOUR_MS)

  expect(recent.first(START + 2 * HOUR_MS)).toBe(0)
})
