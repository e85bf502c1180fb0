import { expect, it } from 'vitest'
import { body, firstWords, hasWords } from './body.ts'

it.each([
  ['Rain in Tamsin', 'Rain in Tamsin\n\nIt rained.', 'It rained.'],
  ['Rain in Tamsin', ' RAIN IN TAMSIN It rained.', 'It rained.'],
  ['Rain', 'Rainfall was heavy.', 'Rainfall was heavy.'],
  ['Rain in Tamsin', 'Rain in Tamsin', ''],
  [null, ' It rained. ', 'It rained.'],
  ['', 'It rained.', 'It rained.'],
])('takes the title %j off %j', (title, text, rest) => expect(body(title, text)).toBe(rest))

it('counts words by white space', () => {
  expect(firstWords(' one  two\nthree', 2)).toBe(' one  two')
  expect(firstWords('one', 2)).toBe('one')
  expect([hasWords('a b c', 3), hasWords('a b c', 4), hasWords('', 1)]).toEqual([true, false, false])
})
