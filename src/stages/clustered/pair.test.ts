import { expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/clustering-model.ts'
import { linkScore } from './link.ts'
import { pairLogit, type Pair } from './pair.ts'

const { weights } = clusteringModel()

const aPair = (over: Record<string, number>): Pair => ({
  kind: 'body',
  values: {
    lead_cosine: 0.8,
    title_cosine: 0.75,
    body_terms_cosine: 0.35,
    entity_terms_cosine: 0.4,
    gap_days: 1,
    bias: 1,
    undated: 0,
    ...over,
  },
})

it('adds up to the reference values', () => {
  expect(pairLogit(aPair({}), weights.pair)).toBeCloseTo(4.76, 10)
  expect(pairLogit(aPair({ gap_days: 0, undated: 1 }), weights.pair)).toBeCloseTo(3.66, 10)
})

it('judges headlines by title alone', () => {
  const headlines: Pair = {
    kind: 'headline',
    values: { title_cosine: 0.7, title_terms_cosine: 0.5, gap_days: 2, bias: 1, undated: 0 },
  }

  expect(pairLogit(headlines, weights.pair)).toBeCloseTo(9.4 * 0.7 + 5.6 * 0.5 - 2.7 - 2.95, 10)
})

it('scores a story of one member by that member, and a larger one by mean, best and size', () => {
  const best = aPair({})
  const one = { size: 1, means: { body: { pairs: 1, values: best.values } }, best }
  const mean = aPair({ lead_cosine: 0.6 }).values
  const ten = { size: 10, means: { body: { pairs: 10, values: mean } }, best }

  expect(linkScore(one, weights).score).toBe(4.76)
  expect(linkScore(ten, weights).score).toBeCloseTo((4.76 + 4.76 - 5.3 * 0.2) / 2 - 0.4 * Math.log(8), 6)
})
