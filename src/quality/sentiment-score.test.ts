import { expect, it } from 'vitest'
import { anEncoderDouble } from '../../test/builders/analyzed.ts'
import { scoreSentimentFile } from './score-sentiment-file.ts'
import { macroScore } from './sentiment-score.ts'

it('is the mean F1 of the classes', () => {
  const score = macroScore(
    ['positive', 'positive', 'negative', 'neutral'],
    ['positive', 'negative', 'negative', 'neutral'],
  )

  expect(score.classes).toEqual({ negative: 2 / 3, neutral: 1, positive: 2 / 3 })
  expect(score.f1).toBeCloseTo(7 / 9)
  expect(score.accuracy).toBe(0.75)
})

const encoder = anEncoderDouble()
const sentiment = { model: 'test', score: (_: Float32Array, text: string) => (text.includes('good') ? 1 : -1) }

it('measures a NewsMTSC file and says what was answered', async () => {
  const lines = [
    { id: 'a', sentence: 'A good day.', polarity: 1, mention: 'day' },
    { id: 'b', sentence: 'A bad day.', polarity: -1, mention: 'day' },
  ]

  const measure = await scoreSentimentFile(
    { encoder, sentiment },
    Buffer.from(lines.map((l) => JSON.stringify(l)).join('\n')),
  )

  expect(measure).toMatchObject({ measure: 'macro_f1', value: 1, n: 2 })
  expect(measure.predictions).toBe('{"id":"a","label":"positive"}\n{"id":"b","label":"negative"}\n')
})

it('measures a SEntFiN file by each of its decisions', async () => {
  const line = { title: 'Bank good', decisions: `{'Bank': 'positive', "Lender's": 'negative'}` }

  const measure = await scoreSentimentFile({ encoder, sentiment }, Buffer.from(JSON.stringify(line)))

  expect(measure.n).toBe(2)
  expect(JSON.parse(measure.predictions)).toEqual({
    title: 'Bank good',
    decisions: { Bank: 'positive', "Lender's": 'positive' },
  })
})
