import { expect, it } from 'vitest'
import { pace, usually } from './trend.ts'

it('says how much faster than usual, and what is usual', () => {
  const trend = { velocity: 2.5, baseline: 1.25, days_of_history: 3 }

  expect([pace(trend), usually(trend, ' a day')]).toEqual(['2.5 ×', 'usually 1.25 a day'])
  expect(pace({ velocity: 12.4, days_of_history: 3 })).toBe('12 ×')
})

it('calls new what has no baseline, not 1 × of nothing', () => {
  const trend = { velocity: 1, baseline: 0, days_of_history: 0 }

  expect([pace(trend), usually(trend)]).toEqual(['new', 'not seen before'])
})
