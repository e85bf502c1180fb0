import { expect, it } from 'vitest'
import { firstWords, hasWords } from './words.ts'

it('counts words by white space', () => {
  expect(firstWords(' one  two\nthree', 2)).toBe(' one  two')
  expect(firstWords('one', 2)).toBe('one')
  expect([hasWords('a b c', 3), hasWords('a b c', 4), hasWords('', 1)]).toEqual([true, false, false])
})
