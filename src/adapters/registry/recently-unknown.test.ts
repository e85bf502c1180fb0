import { expect, it } from 'vitest'
import { RecentlyUnknown } from './recently-unknown.ts'

it('knows an unknown id for a while, and may be told again', () => {
  const unknown = new RecentlyUnknown(5000)
  unknown.add(7, 0)

  expect([unknown.has(7, 4999), unknown.has(7, 5000), unknown.has(8, 0)]).toEqual([true, false, false])

  unknown.add(7, 6000)
  expect(unknown.has(7, 10_999)).toBe(true)
})

it('does not grow with every id that was ever unknown', () => {
  const unknown = new RecentlyUnknown(5000)

  for (let id = 0; id < 10_000; id++) unknown.add(id, id * 10)

  expect(unknown.size).toBe(500)
})
