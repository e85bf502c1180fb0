import { expect, it } from 'vitest'
import {
  beginsWithStranger,
  beginsWithUnknownThing,
  hasLoosePronoun,
  isFragment,
  namesIn,
  namesStranger,
  properNames,
} from './leaning.ts'

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
  ['The council of Oslo had asked Mr. Jones for help before Mr. Moore came.', true],
  ['The bridge will be closed at last, Quill said on Tuesday in the council of Oslo.', true],
  ['The bridge will be closed at last, said Quill, and the council agreed.', true],
  ['During the hearing in Oslo, Rubio, R-Fla., asked the mayor about the bridge.', true],
  ['During the hearing in Oslo, Marco Rubio, R-Fla., asked the mayor about the bridge.', false],
  ['Ada Quill spoke in the council of Oslo, and Mr. Quill agreed with the plan.', false],
  ['The council of Oslo thanked Mr. Edward Moore for the plan of the bridge.', false],
  ['The bridge will be closed, Ada Quill said on Tuesday in the council of Oslo.', false],
  ['The bridge will be closed, CNN said on Tuesday after the council of Oslo met.', false],
  ['The council of Oslo heard: “We thank Mr. Moore for the plan of the bridge.”', false],
])('%s names a stranger: %s', (sentence, expected) => {
  expect(namesStranger(sentence, new Set())).toBe(expected)
})

it('somebody whose whole name was read may be called Mr. or Ms.', () => {
  const sentence = 'The council of Oslo had asked Ms. Quill for a plan of the harbour bridge.'

  expect(namesStranger(sentence, namesIn('Ada Quill, mayor of Oslo'))).toBe(false)
  expect(namesStranger(sentence, namesIn('Edward Moore, engineer'))).toBe(true)
})

it.each([
  ['The bill would close the harbour bridge for two years of repairs.', '', true],
  ['The bill would close the harbour bridge for two years of repairs.', 'House passes bill on bridge', false],
  ['The bill of the council would close the bridge for two years.', '', false],
  ['The council passed a bill that would close the bridge for two years.', '', false],
])('%s behind "%s" begins with an unknown thing: %s', (sentence, said, expected) => {
  expect(beginsWithUnknownThing(sentence, said)).toBe(expected)
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
