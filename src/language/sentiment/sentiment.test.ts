import { describe, expect, it } from 'vitest'
import {
  sentimentLabel,
  probabilities,
  sentiment,
  type SentimentWeights,
  TEXT_BUCKETS,
  textFeatures,
  parseSentiment,
  serializeSentiment,
  openSentiment,
} from './sentiment.ts'
import { meanScore } from '../vectors.ts'

const weights: SentimentWeights = {
  dim: 2,
  bias: [0, 0, 0],
  vector: [Float32Array.of(1, 0), Float32Array.of(0, 0), Float32Array.of(-1, 0)],
  text: [new Float32Array(4), new Float32Array(4), new Float32Array(4)],
}

it('labels from 0.15 on', () => {
  expect([0.15, 0.1499, 0, -0.1499, -0.15].map(sentimentLabel)).toEqual([
    'positive',
    'neutral',
    'neutral',
    'neutral',
    'negative',
  ])
})

it('weighs scores by length', () => {
  expect(
    meanScore([
      { score: 1, length: 30 },
      { score: -1, length: 10 },
    ]),
  ).toBe(0.5)
  expect(meanScore([])).toBe(0)
})

it('scores P(positive) - P(negative)', () => {
  const model = sentiment('test', weights)

  expect(model.score(Float32Array.of(0, 1), '')).toBeCloseTo(0)
  expect(model.score(Float32Array.of(-9, 0), '')).toBeCloseTo(1)
  expect(probabilities(weights, Float32Array.of(3, 1), 'any').reduce((sum, p) => sum + p)).toBeCloseTo(1)
})

it('writes its weights and reads them again', () => {
  expect(parseSentiment(serializeSentiment(weights))).toEqual(weights)
  expect(() => parseSentiment(Buffer.alloc(24))).toThrow('bytes')
})

describe('text features', () => {
  it('have length 1 and stay within their buckets', () => {
    const features = textFeatures('The minister praised a brave, brave rescue!')

    expect(features.reduce((sum, { value }) => sum + value * value, 0)).toBeCloseTo(1)
    expect(features.every(({ bucket }) => bucket >= 0 && bucket < TEXT_BUCKETS)).toBe(true)
    expect(textFeatures('123 %')).toEqual([])
  })
})

it('tells praise from blame by the words alone', () => {
  const shipped = openSentiment()
  const silent = new Float32Array(384)

  const praise = shipped.score(silent, 'Shares rise on strong profit, an outstanding success.')
  const blame = shipped.score(silent, 'The disastrous attack was a corrupt and shameful failure.')

  expect(praise).toBeGreaterThan(blame)
})
