import { expect, it } from 'vitest'
import { queryProblem } from './query-problem.ts'
import { compileQuery, queryTerms, searchedText } from './query.ts'

const matches = (query: string, text: string): boolean => compileQuery(query)(searchedText(text))

it.each([
  ['rain', 'Heavy RAIN in the north', true],
  ['rain', 'Trains are late', false],
  ['rain*', 'Rainfall in the north', true],
  ['rain north', 'Heavy rain in the north', true],
  ['rain south', 'Heavy rain in the north', false],
  ['"central bank"', 'The Central\nBank raised rates', true],
  ['"central bank"', 'The bank is central', false],
  ['rain -snow', 'Rain and snow', false],
  ['rain -snow', 'Rain and wind', true],
  ['-snow', 'Rain', true],
  ['-"heavy rain"', 'Heavy rain', false],
  ['e-mail', 'An e-mail was sent', true],
  ['c++', 'Written in C++ and Rust', true],
  ['$5', 'It costs $5.', true],
  ['a.b', 'a-b', false],
  ['münchen', 'In MÜNCHEN regnet es', true],
  ['选举', '日本选举结果公布', true],
  ['बारिश', 'दिल्ली में बारिश हुई', true],
  ['बारि', 'दिल्ली में बारिश हुई', false],
  ['café', 'Cafe\u0301 Central', true],
  ['congress', 'CONGREſS', true],
  ['"heavy rain"', 'Heavy\u00a0\ufeffrain', true],
  ['*', 'anything', true],
  ['""', 'anything', true],
  ['', 'anything', true],
])('%j in %j: %s', (query, text, expected) => {
  expect(matches(query, text)).toBe(expected)
})

it('terms are found in any part of a text, and phrases not across parts', () => {
  expect(compileQuery('rain north')(searchedText('Rain', 'The north'))).toBe(true)
  expect(searchedText(null, 'x').text).toBe('\nx')
})

it('a special character has no meaning', () => {
  expect(queryTerms('(a|b)+[c]')).toHaveLength(1)
  expect(matches('(a|b)+[c]', 'see (a|b)+[c] there')).toBe(true)
  expect(matches('(a|b)+[c]', 'aac')).toBe(false)
})

it.each([
  ['rain "central bank" -snow', null],
  ['rain*', null],
  ['"rain', 'quotation mark is missing'],
  ['-"opinion""bank"', 'space before and after'],
  ['"a b"-c', 'space before and after'],
  ['foo"bar baz"', 'space before and after'],
  ['rain -', 'letter or digit'],
  ['-rain', 'must not be excluded'],
  [`"${'a '.repeat(13)}"`, 'at most 12 words'],
  ['a '.repeat(21), 'at most 20 words'],
])('what is wrong with %j: %s', (query, problem) => {
  expect(queryProblem(query.trim())).toEqual(problem === null ? null : expect.stringContaining(problem))
})
