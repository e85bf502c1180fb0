import { expect, it } from 'vitest'
import { beginsWithStranger, hasLoosePronoun, isFragment, namesIn, properNames } from './leaning.ts'

it.each([
  ['Rose has since tested negative for the virus.', true],
  ['Nadia’s children went to school in Oslo.', true],
  ['Rose Hill has since tested negative for the virus.', false],
  ['Republicans voted against the bill in Oslo.', false],
  ['Engineers found cracks in the bridge of Oslo.', false],
  ['The council of Oslo voted against the bill.', false],
])('%s begins with a stranger: %s', (sentence, expected) => {
  expect(beginsWithStranger(sentence, new Set())).toBe(expected)
})

it('somebody whose whole name was read is no stranger', () => {
  expect(beginsWithStranger('Quill has closed the bridge.', namesIn('Ada Quill, mayor of Oslo'))).toBe(false)
})

it.each([
  ['When he came, the bridge was closed.', true],
  ['Ada Quill said that she would close the bridge.', false],
  ['The mayor said that she would close the bridge.', false],
  ['Oslo closed the bridge.', false],
  ['“He is old,” said Ada Quill of the bridge.', false],
])('%s has a loose pronoun: %s', (sentence, expected) => {
  expect(hasLoosePronoun(sentence)).toBe(expected)
})

it('days and months are nobody’s names', () => {
  expect(properNames('On Tuesday in May, Ada Quill closed it')).toEqual(['Ada', 'Quill'])
})

it('a caption has no finite verb', () => {
  expect(isFragment('The harbour bridge between the two towns on Thursday.')).toBe(true)
  expect(isFragment('The harbour bridge between the two towns was closed on Thursday.')).toBe(false)
})
