import fc from 'fast-check'
import { expect, it, describe } from 'vitest'
import { A_REPORT } from '../../test/builders/articles.ts'
import { leastCpuMs } from '../../test/builders/cpu.ts'
import { bodyOf, withoutFurniture, semanticHash } from './body-text.ts'

it.each([
  ['Rain in Tamsin', 'Rain in Tamsin\n\nIt rained.', 'It rained.'],
  ['Rain in Tamsin', ' RAIN IN TAMSIN It rained.', 'It rained.'],
  ['Rain', 'Rainfall was heavy.', 'Rainfall was heavy.'],
  ['Rain in Tamsin', 'Rain in Tamsin', ''],
  ['Rain in “Tamsin”', 'RAIN IN "TAMSIN"\nIt rained.', 'It rained.'],
  [null, ' It rained. ', 'It rained.'],
  ['', 'It rained.', 'It rained.'],
])('takes the title %j off %j', (title, text, rest) => expect(bodyOf(title, text)).toBe(rest))

const PARAGRAPHS = A_REPORT.split('\n\n')

describe('a whole sentence is never furniture', () => {
  it.each([
    'From Monday, residents must pay to park in the centre.',
    'Live music is banned in pubs after ten at night.',
    'Analysis shows the bridge is unsafe.',
    'Analysis: the bridge is unsafe, and the council knew it.',
    'Watch sales rose by a third in Geneva.',
    'Mon nouveau livre parle de 1968, de Paris et de nous',
    '2016 was the year in which the town lost its harbour, its mayor and its bridge',
    'Published figures show that the town has lost a third of its people since the war',
    'Getty Images sued a rival on Monday over stolen pictures.',
    'Picture the scene: a town without a single car.',
    'Photo by photo, the committee went through the evidence.',
    'By Friday the council has to name the streets that will be closed:',
  ])('in front: %s', (sentence) => {
    expect(withoutFurniture(`${sentence}\n\n${A_REPORT}`)).toEqual([sentence, ...PARAGRAPHS])
  })

  it.each([
    'Writing by candlelight, she finished the book in May.',
    'Reporting by The Associated Press showed last year that forty homes were unsafe.',
    'Copyright law will change next year, the minister said.',
    'The letters may not be published until 2050, the court ruled.',
    'Smoking, heat and age all contributed.',
    'Follow the money, investigators like to say.',
    'Related companies were fined as well.',
    'More from the same owner is to come.',
    'Read more books, the minister told pupils.',
    'With assistance from neighbours she rebuilt the house.',
    'Via Appia was closed on Sunday.',
    'Write to your deputy, he urged.',
    'Originally published in 1922, the novel sold a million.',
    'Distributed by volunteers, the leaflets warned of floods.',
    'Reuters reporters saw tanks in the square on Friday.',
    'This report was provided by a clerk, the court heard.',
  ])('behind: %s', (sentence) => {
    expect(withoutFurniture(`${A_REPORT}\n\n${sentence}`)).toEqual([...PARAGRAPHS, sentence])
  })

  it('nor is its subject, where an agency stands behind it in brackets', () => {
    const sentence = 'The British Broadcasting Corporation (BBC) will cut five hundred jobs.'

    expect(withoutFurniture(sentence)).toEqual([sentence])
  })
})

describe('furniture is', () => {
  it.each([
    'Source: Reuters',
    'Watch: The bridge in ten pictures',
    'March 4, 2017 / 4:15 PM / Updated 2 hours ago',
    'Published 4:15 PM EST, March 4, 2017 | Updated 6:02 PM EST on Sunday, March 5, 2017',
    'Posted by Jane Doe of the Example Times and the Harbour News Service, on 3 May at noon',
    '(AP Photo/Jane Doe)',
    'Photo by Jane Doe/Getty Images.',
    'Image: A man looks at the closed bridge on a cold morning in the town of Tamsin.',
  ])('in front: %s', (line) => {
    expect(withoutFurniture(`${line}\n\n${A_REPORT}`)).toEqual(PARAGRAPHS)
  })

  it.each([
    'Additional reporting by Jane Doe in Paris and John Roe in Rome.',
    'Reporting By Jane Doe; editing by Max Foe',
    'Jane Doe in Washington and John Roe contributed.',
    'Jane Doe and John Roe contributed reporting from Paris.',
    'Follow Jane Doe on Twitter for more about the bridge and the town of Tamsin.',
    'Related: The mayor says that the bridge will open again in two years.',
    'With assistance from Jane Doe and John Roe.',
    'Associated Press writers Jane Doe in Rome and John Roe in Paris, and photographer Ann Poe, contributed to this report.',
    'Copyright (c) 2016 Example Times. Used with permission.',
  ])('behind: %s', (line) => {
    expect(withoutFurniture(`${A_REPORT}\n\n${line}`)).toEqual(PARAGRAPHS)
  })
})

it('no paragraph takes long to read', () => {
  const awkward = [
    'Reporting by ' + 'Aa, '.repeat(170) + 'x',
    '1'.repeat(109) + 'x',
    '1 '.repeat(54) + 'x',
    'By ' + 'A.'.repeat(60) + '!',
  ]
  const readAll = () => awkward.map((text) => withoutFurniture(`${text}\n\n${A_REPORT}\n\n${text}`))

  expect(leastCpuMs(readAll, 1_000)).toBeLessThan(1_000)
})

describe('re-prints have the same hash', () => {
  it.each([
    ['an agency dateline', `WASHINGTON (AP) — ${A_REPORT}`],
    ['a dated dateline', `LONDON, May 3 (Reuters) - ${A_REPORT}`],
    ['a bare dateline', `NEW YORK — ${A_REPORT}`],
    ['an agency prefix', `(CNN) ${A_REPORT}`],
    ['a byline', `By Jane Q. Doe, Associated Press\n\n${A_REPORT}`],
    ['a time stamp and a byline', `Updated May 3, 2016 at 4 PM\nBy JANE DOE\n${A_REPORT}`],
    ['a photo credit', `(Reuters photo: Jim Bourg)\n\n${A_REPORT}`],
    ['an editing note', `${A_REPORT}\n\n(Reporting by Jane Doe; Editing by John Roe)`],
    [
      'a copyright',
      `${A_REPORT}\n\n___\n\nCopyright 2016 The Associated Press. All rights reserved. This material may not be published, broadcast, rewritten or redistributed.`,
    ],
    [
      'contributors',
      `${A_REPORT}\n\nAssociated Press writers John Roe in Rome and Max Foe in Paris contributed to this report.`,
    ],
    ['other quotes', A_REPORT.replace('"We', '“We').replace('families,"', 'families,”')],
    ['other case and white space', A_REPORT.toUpperCase().replaceAll('\n\n', '\n').replaceAll(' ', '  ')],
  ])('%s', (_, reprint) => {
    expect(semanticHash(reprint)).toBe(semanticHash(A_REPORT))
  })
})

/** As mail and wires do: no line longer than so many characters, if a word is not. */
const wrappedTo = (width: number, text: string): string =>
  text.replaceAll(new RegExp(`(?!\\s)(.{1,${width}})(?:[^\\S\\n]+|(?=\\n|$))`, 'gu'), '$1\n')

it.each([12, 30, 45, 60, 72, 80])('a re-print whose lines were wrapped to %i characters has the same hash', (width) => {
  const wrapped = wrappedTo(width, A_REPORT)

  expect(wrapped.split('\n').length).toBeGreaterThan(A_REPORT.split('\n').length)
  expect(semanticHash(wrapped)).toBe(semanticHash(A_REPORT))
  expect(semanticHash(`By Jane Doe\n\n${wrapped}\n(Reporting by Jane Doe; Editing by John Roe)`)).toBe(
    semanticHash(A_REPORT),
  )
})

it('takes lines that begin anew for paragraphs, each', () => {
  expect(withoutFurniture('The river rose.\nIt fell on Friday.\nNobody was hurt.')).toHaveLength(3)
})

it('tells one changed word', () => {
  expect(semanticHash(A_REPORT.replace('Tuesday', 'Monday'))).not.toBe(semanticHash(A_REPORT))
})

it.each([
  'By Tuesday morning the river had risen above the dam.\n\nIt fell again on Friday.',
  'Reuters said on Monday that it will buy a rival.\n\nThe price was not told.',
])('does not take a first sentence for furniture: %s', (text) => {
  expect(withoutFurniture(text)).toEqual(text.split('\n\n'))
})

it('gives back a text of furniture only', () => {
  expect(withoutFurniture('By Jane Doe\n\nCopyright 2016')).toEqual(['By Jane Doe', 'Copyright 2016'])
})

it('is 16 hex digits of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(semanticHash(text)).toMatch(/^[0-9a-f]{16}$/)
    }),
  )
})

it('knows the body without a leading copy of its title', () => {
  expect(bodyOf('Bridge to Close', 'BRIDGE TO CLOSE!\n\nThe council voted.')).toBe('The council voted.')
  expect(bodyOf('Bridge to close', 'Bridge to close for years.\n\nMore.')).toBe('Bridge to close for years.\n\nMore.')
  expect(bodyOf(null, 'One.\nTwo.')).toBe('One.\nTwo.')
})
