import { expect, it } from 'vitest'
import { parseBio } from './ner.ts'
import { everyGroupOfSentences, everyLine } from './labelled-file.ts'

it('takes whole groups of neighbouring sentences', () => {
  const text = Array.from({ length: 100 }, (_, i) => `word${i}\tO\r\n.\tO\r\n`).join('\r\n')

  const taken = parseBio(everyGroupOfSentences(text, 3)).map(({ tokens }) => tokens[0])

  expect(taken).toHaveLength(24 + 24)
  expect(taken.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_, i) => `word${i}`))
  expect(taken[24]).toBe('word72')
})

it('takes every so-many-th line', () => {
  expect(everyLine('a\nb\nc\nd\ne', 2)).toBe('a\nc\ne')
})
