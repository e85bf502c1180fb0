import { expect, it } from 'vitest'
import { compileQuery } from './query.ts'

it.each<[string, string, boolean]>([
  ['rain', 'Rain in the north', true],
  ['rain', 'Rainy days', false],
  ['rain north', 'North of the rain', true],
  ['rain south', 'Rain in the north', false],
  ['"the north"', 'Rain in the North', true],
  ['"north the"', 'Rain in the north', false],
  ['rain -north', 'Rain in the north', false],
  ['rain -"the south"', 'Rain in the north', true],
  ['-rain', 'Snow', true],
  ['ÉCOLE', 'Une école', true],
  ['', 'anything', true],
])('%s in %s', (query, text, isMatch) => {
  expect(compileQuery(query)([text])).toBe(isMatch)
})
