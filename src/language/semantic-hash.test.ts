import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_REPORT } from '../../test/builders/articles.ts'
import { bodyOf } from './body-of.ts'
import { semanticHash } from './semantic-hash.ts'
import { withoutFurniture } from './without-furniture.ts'

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
