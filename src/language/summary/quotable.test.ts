import { expect, it, describe } from 'vitest'
import {
  beginsWithStranger,
  beginsWithUnknownThing,
  hasLoosePronoun,
  isFragment,
  namesIn,
  namesStranger,
  properNames,
  insideQuotations,
  quotable,
  standsAlone,
} from './quotable.ts'

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

const SAID = 'The harbour bridge in Oslo will close for two years, the city council decided on Tuesday.'

describe('a sentence that can be quoted', () => {
  it.each([SAID, `“${SAID}”`, 'Among 4,000 people asked by the paper in May, two thirds said they walk to work!'])(
    '%s',
    (sentence) => {
      expect(quotable(sentence)).toBe(sentence)
    },
  )

  it('loses the dateline before it, and nothing else', () => {
    expect(quotable(`OSLO, May 3 (Reuters) - ${SAID}`)).toBe(SAID)
    expect(quotable(`OSLO (AP) — ${SAID}`)).toBe(SAID)
  })

  it('loses what a player left before it', () => {
    expect(quotable(`CLOSE ${SAID}`)).toBe(SAID)
  })

  it.each([
    'The border fence between the city of Tijuana, Mexico, and California on Thursday.', // a caption
    'Activists and supporters of the mayor gather outside the harbour office in Oslo on Friday for the march.',
    'Correction and update: A previous version of this article said that the bridge of Oslo was closed.',
    'Greg Quill, an attorney, is president and director of the Foundation for Bridges in Oslo.',
    'The bridge will close on Tuesday.', // short
    "Mayor On The Harbour Bridge: 'We Need To Close It Now Or Never.'",
    'USA TODAY’s Ada Quill discusses how the council of Oslo closed the harbour bridge.',
    '1. The harbour bridge in Oslo is not closed for good but for two years of repairs.',
    'Read the opening statement of the mayor of Oslo below, submitted to the council on Tuesday.',
    'Ada Quill: ‘We believed that the bridge was closed’ The mayor of Oslo had ordered repairs of the cables.',
    'By Ada Quill, Associated Press writer in Oslo with additional reporting',
    'Show Hide Why is the harbour bridge of Oslo closed for repairs of its rusted cables?',
    'Hide Caption 3 of 25 Photos: The harbour bridge Ada Quill greets engineers before the repairs in Oslo.',
    'Sign up for our daily newsletter and never miss what happens in Oslo again.',
    'Read more about the bridge and all that the city council decided on Tuesday.',
    'The harbour bridge in Oslo is seen from above on the day it closed, May 3, 2016.',
    'An engineer looks at a cable of the harbour bridge in Oslo on Tuesday (Getty Images).',
    'The harbour bridge will close, said Ada Quill HAND OVER THE BRIDGE report MORE on Tuesday in Oslo.',
    'THE HARBOUR BRIDGE IN OSLO WILL CLOSE FOR TWO YEARS, THE CITY COUNCIL DECIDED.',
    'which the city council of Oslo had decided on Tuesday after a long debate.',
    'The harbour bridge in Oslo will close for two years, the city council decided on',
    'The mayor of Oslo said on Tuesday: “The bridge is old and we cannot wait any longer.',
    Array.from({ length: 50 }, () => 'Word').join(' ') + '.',
  ])('is not: %s', (sentence) => {
    expect(quotable(sentence)).toBeNull()
  })
})

it('what leans on its neighbours, asks, or speaks as somebody stands less well alone', () => {
  const whole = standsAlone(SAID)
  for (const less of [
    'He said the bridge was old and that nobody could wait any longer.',
    'But the city council of Oslo decided on Tuesday to close it.',
    'One of those cables was found to be rusted through in March.',
    'The revelation came after the city council of Oslo had closed the bridge.',
    'I think that the city council of Oslo was wrong on Tuesday.',
    'Was the city council of Oslo wrong to close the bridge on Tuesday?',
    '“The bridge is old,” the mayor of Oslo said on Tuesday.',
    'When he came to Oslo on Tuesday, Ada Quill had closed the bridge.',
    'It was closed on Tuesday, and nobody was hurt when the cables broke.',
    'The billionaire businessman closed the bridge of Oslo on Tuesday.',
    'Ada Quill also said that Oslo is prepared for the closing of the bridge.',
    'A little more than two hours later, Ada Quill closed the harbour bridge of Oslo.',
    'In other words, the council of Oslo has closed the bridge but not the harbour.',
    'Ada Quill of Oslo has embarrassed all by making very dumb statements about me.',
    'Perhaps never before has the council of Oslo closed the harbour bridge in winter.',
    'The liberal media of Oslo is to blame for the state of the bridge.',
  ]) {
    expect(standsAlone(less)).toBeLessThan(whole)
  }
  expect(standsAlone('The mayor of Oslo said on Tuesday: “We cannot wait any longer.”')).toBe(whole)
})

describe('sentences inside a quotation', () => {
  it('are those that begin after a quotation was opened and before it ends', () => {
    const curly = [
      '“Russia is a foe.',
      'China is a foe economically.',
      'But they are competitors.”',
      'He left on Monday.',
    ]
    const straight = [
      '"Russia is a foe.',
      'China is a foe economically.',
      'But they are competitors."',
      'He left on Monday.',
    ]

    expect([...insideQuotations(curly)]).toEqual([1, 2])
    expect([...insideQuotations(straight)]).toEqual([1, 2])
    expect([...insideQuotations(['He said "no."', 'They said “yes” and left.', 'It rained.'])]).toEqual([])
  })

  it('are not the rest of a text whose quotation never ends', () => {
    const text = ['“Russia is a foe.', ...Array.from({ length: 9 }, (_, i) => `Sentence ${i} of the article.`)]

    expect(insideQuotations(text).size).toBe(4)
  })
})

it.each([
  'The mayor of Oslo, in remarks airing Thursday onQuill, was asked about the harbour bridge and its cables.',
  'The mayor of Oslo spoke at the National C onvention about the harbour bridge and its rusted cables.',
])('a damaged text is no quotation: %s', (sentence) => {
  expect(quotable(sentence)).toBeNull()
})
