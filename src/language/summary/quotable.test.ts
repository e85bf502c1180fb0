import { describe, expect, it } from 'vitest'
import { insideQuotations, quotable, standsAlone } from './quotable.ts'

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
