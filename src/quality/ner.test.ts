import { gzipSync } from 'node:zlib'
import { expect, it, describe } from 'vitest'
import { openQuickFiles, quickTagger } from '../language/recogniser/quick-tagger.ts'
import { spanScore, parseBio, scoreNerFile, labelled } from './ner.ts'
import { BadLine } from './labelled-file.ts'

it('counts a name only when its type and both ends are right', () => {
  const gold = [['B-PER', 'I-PER', 'O', 'B-LOC', 'B-ORG']]
  const answer = [['B-PER', 'O', 'O', 'B-LOC', 'B-LOC']]

  expect(spanScore(gold, answer)).toEqual({ precision: 1 / 3, recall: 1 / 3, f1: 1 / 3, gold: 3 })
})

it('counts only the types asked for, and is 0 for nothing found', () => {
  expect(spanScore([['B-EVENT', 'B-PER']], [['B-EVENT', 'B-PER']])).toMatchObject({ f1: 1, gold: 1 })
  expect(spanScore([['B-PER']], [['O']])).toMatchObject({ f1: 0 })
})

it('reads an I without its B as the beginning of a name, and a B as the beginning of another', () => {
  expect(spanScore([['I-PER', 'I-PER', 'B-PER']], [['B-PER', 'I-PER', 'B-PER']])).toMatchObject({ f1: 1, gold: 2 })
})

it('answers for the tokens of a file as they stand', async () => {
  const lines = [
    'Angela\tB-PER',
    'Merkel\tI-PER',
    'visited\tO',
    'U.S.\tB-LOC',
    'troops\tO',
    '.\tO',
    '',
    'Thanks\tO',
    '',
  ]
  const { model, files } = openQuickFiles()

  const measure = await scoreNerFile({ tagger: quickTagger(model, files), lists: files }, gzipSync(lines.join('\n')))

  expect(measure).toMatchObject({ measure: 'span_f1', value: 1, n: 2 })
  expect(measure.predictions).toBe(lines.join('\n'))
  expect(parseBio(measure.predictions)).toEqual(parseBio(lines.join('\n')))
})

describe('a BIO file', () => {
  it('is read whatever its line ends and however many blank lines it has', () => {
    const text = '\r\nAnn\tB-PER\r\nLee\tI-PER\r\n\r\n \r\nsleeps\tO\r\n\r\n\r\n'

    expect(parseBio(text)).toEqual([
      { tokens: ['Ann', 'Lee'], labels: ['B-PER', 'I-PER'] },
      { tokens: ['sleeps'], labels: ['O'] },
    ])
  })

  it('may hold tokens alone, and tokens with blanks', () => {
    expect(parseBio('4 hours\nago\n\nAnn\n')).toEqual([
      { tokens: ['4 hours', 'ago'], labels: [] },
      { tokens: ['Ann'], labels: [] },
    ])
  })

  it.each([
    ['a token without its label', 'Ann\tB-PER\n\nsleeps\n', 3],
    ['a third column', 'Ann\tNNP\tB-PER\n', 1],
    ['no token', 'Ann\tB-PER\n\tO\n', 2],
    ['another scheme of labels', 'Ann\tO\r\nLee\tS-PER\r\n', 2],
    ['no label behind the tab', 'Ann\t\n', 1],
  ])('names the line with %s', (_, text, line) => {
    expect(() => parseBio(text)).toThrow(BadLine)
    expect(() => parseBio(text)).toThrow(expect.objectContaining({ line }))
  })
})

it('answers line by line, so that file and answers can be laid side by side', () => {
  const text = '\nAnn\tB-PER\nsleeps\tO\n\n\nNow\tO'

  expect(labelled(text, [['B-ORG', 'O'], ['B-LOC']])).toBe('\nAnn\tB-ORG\nsleeps\tO\n\n\nNow\tB-LOC\n')
  expect(labelled('Ann\r\n', [['B-PER']])).toBe('Ann\tB-PER\n')
})
