import { describe, expect, it } from 'vitest'
import { labelled, parseBio } from './bio-file.ts'
import { BadLine } from './labelled-file.ts'

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
