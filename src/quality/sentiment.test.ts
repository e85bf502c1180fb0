import { expect, it } from 'vitest'
import type { Reader } from '../ports/reader.ts'
import { scoreSentimentFile, spanOf } from './sentiment.ts'
import { macroScore } from './macro-score.ts'

it('is the mean F1 of the classes', () => {
  const score = macroScore(
    ['positive', 'positive', 'negative', 'neutral'],
    ['positive', 'negative', 'negative', 'neutral'],
  )

  expect(score.classes).toEqual({ negative: 2 / 3, neutral: 1, positive: 2 / 3 })
  expect(score.f1).toBeCloseTo(7 / 9)
  expect(score.accuracy).toBe(0.75)
})

/**
 * Test double: a target followed by "good" is positive, an empty target at the end of the text neutral, all others
 * negative.
 */
const reader: Pick<Reader, 'read'> = {
  read: async (sentences) =>
    sentences.map(({ text, words }) => ({
      tags: new Uint8Array(words.texts.length),
      vector: new Float32Array(384),
      sentiment: (targets) => ({
        sentence: 0,
        targets: targets.map(({ start, end }) => (start === end ? 0 : /^\W*good/.test(text.slice(end)) ? 1 : -1)),
      }),
    })),
}

it('measures a NewsMTSC file by its targets and says what was answered', async () => {
  const sentence = 'Ann: good, Bob: bad.'
  const lines = [
    { id: 'a', sentence, polarity: 1, mention: 'Ann', from: 0, to: 3 },
    { id: 'b', sentence, polarity: -1, mention: 'Bob', from: 11, to: 14 },
  ]

  const measure = await scoreSentimentFile(
    () => Promise.resolve(reader),
    Buffer.from(lines.map((l) => JSON.stringify(l)).join('\n')),
  )

  expect(measure).toMatchObject({ measure: 'macro_f1', value: 1, n: 2 })
  expect(measure.predictions).toBe('{"id":"a","label":"positive"}\n{"id":"b","label":"negative"}\n')
})

it('measures a SEntFiN file by each of its entities, wherever the title names them', async () => {
  const decisions = `{'big bank': 'positive', "Lender's": 'negative', 'Elsewhere': 'neutral'}`
  const line = { title: "Big  Bank good, Lender’s rates worry lender's staff", decisions }

  const measure = await scoreSentimentFile(() => Promise.resolve(reader), Buffer.from(JSON.stringify(line)))

  expect(measure).toMatchObject({ value: 1, n: 3 })
  expect(JSON.parse(measure.predictions)).toEqual({
    title: line.title,
    decisions: { 'big bank': 'positive', "Lender's": 'negative', Elsewhere: 'neutral' },
  })
})

it('finds a name whatever its case and its blanks', () => {
  expect(spanOf('tata  motors', 'Shares of Tata Motors fall')).toEqual({ start: 10, end: 21 })
})

it('prefers whole words to a part of one', () => {
  expect(spanOf('ITC', 'Pitch: ITC gains')).toEqual({ start: 7, end: 10 })
  expect(spanOf('ITC', 'Pitch only')).toEqual({ start: 1, end: 4 })
})

it('takes every mark of a name for itself', () => {
  expect(spanOf('M&M (A+)', 'Why M&M (A+) rose')).toEqual({ start: 4, end: 12 })
})

it('says so when a name is not there', () => {
  expect(spanOf('Infosys', 'Sensex up')).toBeUndefined()
  expect(spanOf(' ', 'Sensex up')).toBeUndefined()
})
