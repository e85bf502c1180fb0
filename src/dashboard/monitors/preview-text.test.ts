import { expect, it } from 'vitest'
import { highestOf, previewText } from './preview-text.ts'

const days = (...stories: readonly number[]) =>
  Array.from({ length: 30 }, (_, i) => ({ day: `2026-11-${String(i + 1).padStart(2, '0')}`, stories: stories[i] ?? 0 }))
const textOf = (total: number, truncated = false): string => previewText({ total, truncated, days: days() })

it.each([
  [0, 'No story in the last 30 days meets these conditions.'],
  [1, '1 story in the last 30 days, about one in 30 days.'],
  [6, '6 stories in the last 30 days, about one in 5 days.'],
  [15, '15 stories in the last 30 days, about one in 2 days.'],
  [25, '25 stories in the last 30 days, about 1 a day.'],
  [123, '123 stories in the last 30 days, about 4 a day.'],
  [45_000, '45,000 stories in the last 30 days, about 1,500 a day.'],
])('says how often %i stories in 30 days are', (total, expected) => {
  expect(textOf(total)).toBe(expected)
})

it('says that there are more than were counted', () => {
  expect(textOf(1_000, true)).toMatch(/^At least 1,000 stories/)
})

it('scales bars by the highest day, also without any story', () => {
  expect([highestOf(days(2, 7, 1)), highestOf(days()), highestOf([])]).toEqual([7, 1, 1])
})
