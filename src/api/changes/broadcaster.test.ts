import { expect, it } from 'vitest'
import { aHandMovedClock } from '../../../test/builders/api.ts'
import { FeedDue } from './broadcaster.ts'

it('looks at an end that shows nothing ever more rarely, and at once when the end moves', async () => {
  const clock = aHandMovedClock()
  const due = new FeedDue(clock)
  const looks: number[] = []
  for (let second = 0; second < 240; second++) {
    for (let quarter = 0; quarter < 4; quarter++) {
      if (due.is(0, 10, 9)) {
        looks.push(second)
        due.recordRead(0, 10, 9)
      }
      await clock.advance(250)
    }
  }

  expect(looks.length).toBeGreaterThan(6)
  expect(looks.length).toBeLessThan(18)
  expect(looks.at(-1)).toBeGreaterThan(200)
  expect(due.is(0, 11, 9)).toBe(true)
  expect(due.is(0, 11, 11)).toBe(false)
})
