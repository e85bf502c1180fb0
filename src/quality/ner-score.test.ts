import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openQuickFiles, quickTagger } from '../language/recogniser/quick-tagger.ts'
import { spanScore } from './ner-score.ts'
import { parseBio } from './bio-file.ts'
import { scoreNerFile } from './score-ner-file.ts'

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
