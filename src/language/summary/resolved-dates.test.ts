import { expect, it } from 'vitest'
import { hasRelativeDate, resolvedDates } from './resolved-dates.ts'

/** A Thursday. */
const PUBLISHED = Date.UTC(2018, 9, 4)
const days = (sentence: string) => resolvedDates(sentence, PUBLISHED).map(({ text, start }) => `${text} ${start}`)

it.each([
  ['The council voted on Tuesday.', ['Tuesday 2018-10-02']],
  ['Yesterday the council voted.', ['Yesterday 2018-10-03']],
  ['The council voted.', []],
])('%s is of %j', (sentence, expected) => {
  expect(days(sentence)).toEqual(expected)
})

it.each([
  'The council will vote on Tuesday.',
  'The council set the stage, ahead of a vote scheduled for Saturday.',
  'The council votes this week.',
  'The council met for the first time since Thursday’s vote.', // of today, or a week ago
  'The council voted on Friday.', // six days ago, or tomorrow: the date may be a day early
])('leaves open what may be to come: %s', (sentence) => {
  expect(days(sentence)).toEqual([])
})

it('knows which sentences need the date of their article', () => {
  expect(hasRelativeDate('The council voted on Tuesday.')).toBe(true)
  expect(hasRelativeDate('The council voted on 2 October 2018.')).toBe(false)
})
