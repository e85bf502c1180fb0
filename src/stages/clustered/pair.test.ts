import { describe, expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/model-files.ts'
import { f32, NO_VECTOR } from '../../events/vector.ts'
import { features, type Features } from './features.ts'
import { linkScore, named, pair, pairLogit, unnamed, type ArticlePair } from './pair.ts'

const model = clusteringModel()

/** Weights small enough to add up by hand. */
const weights = {
  body: {
    lead_cosine: 5.3,
    title_cosine: 4.6,
    body_terms_cosine: 4.4,
    entity_terms_cosine: 3.2,
    gap_days: -1.15,
    undated: -2.25,
    bias: -4.6,
  },
  headline: { title_cosine: 9.4, title_terms_cosine: 5.6, gap_days: -1.35, undated: 0, bias: -2.95 },
  cross: {},
}
const join = { ...model.weights.join, mean_share: 0.5, max_share: 0.5, size_weight: 0.4, size_cap: 8 }

const aPair = (over: Record<string, number>): ArticlePair =>
  unnamed('body', {
    lead_cosine: 0.8,
    title_cosine: 0.75,
    body_terms_cosine: 0.35,
    entity_terms_cosine: 0.4,
    gap_days: 1,
    bias: 1,
    undated: 0,
    ...over,
  })

describe('pairLogit', () => {
  it('adds up to the reference values', () => {
    expect(pairLogit(aPair({}), weights)).toBeCloseTo(4.76, 10)
    expect(pairLogit(aPair({ gap_days: 0, undated: 1 }), weights)).toBeCloseTo(3.66, 10)
  })

  it('judges headlines by title alone', () => {
    const values = { title_cosine: 0.7, title_terms_cosine: 0.5, gap_days: 2, bias: 1, undated: 0 }
    const headlines = unnamed('headline', values)

    expect(pairLogit(headlines, weights)).toBeCloseTo(9.4 * 0.7 + 5.6 * 0.5 - 2.7 - 2.95, 10)
  })
})

it('scores a story of one member by that member, and a larger one by mean, best and size', () => {
  const best = aPair({})
  const one = { size: 1, means: { body: { pairs: 1, values: best.values } }, best }
  const mean = aPair({ lead_cosine: 0.6 }).values
  const ten = { size: 10, means: { body: { pairs: 10, values: mean } }, best }

  expect(linkScore(one, { pair: weights, join }).score).toBe(4.76)
  expect(linkScore(ten, { pair: weights, join }).score).toBeCloseTo(
    (4.76 + 4.76 - 5.3 * 0.2) / 2 - 0.4 * Math.log(8),
    6,
  )
})

describe('pair', () => {
  const vector = (name: string) => f32(`m:${name}`, new Float32Array(384).fill(1 / Math.sqrt(384)))
  const noCross = { cross_title_vector: NO_VECTOR, cross_vector: NO_VECTOR }
  const anArticle = (text: string, published: string | null, cross: Partial<typeof noCross> = {}): Features => {
    const found = features(
      {
        title: 'Quake shakes island',
        text,
        dated: published !== null,
        occurred_at: Date.parse(published ?? '2030-01-01'),
        lead_vector: vector('lead'),
        title_vector: vector('title'),
        ...noCross,
        ...cross,
      },
      model,
    )
    if (found === null) throw new Error('No features')
    return found
  }
  const here = anArticle('A quake of 5.6 hurt 62 people in Ketter on Sunday, the governor said in 2008.', '2030-03-04')
  const there = anArticle('A quake of 5.9 hurt 17 people in Tamsin on Monday, the governor said in 2013.', '2030-03-06')
  const vague = anArticle('A quake shook the island, the governor said, and nobody was hurt at all.', null)

  it('has evidence against one event where both name something and nothing in common', () => {
    expect(named(pair(here, there))).toMatchObject({
      numbers_apart: 1,
      weekdays_apart: 1,
      places_apart: 1,
      gap_days: 2,
    })
    expect(named(pair(here, here))).toMatchObject({ numbers_apart: 0, weekdays_apart: 0, places_apart: 0 })
    expect(named(pair(here, vague))).toMatchObject({ numbers_apart: 0, weekdays_apart: 0, places_apart: 0 })
  })

  it('asks for a common year only where a date is missing', () => {
    const undated = { ...here, dated: false }

    expect(named(pair(here, here))).toMatchObject({ undated: 0, undated_same_year: 0 })
    expect(named(pair(undated, here))).toMatchObject({ undated: 1, undated_same_year: 1, gap_days: 0 })
    expect(named(pair(undated, there))).toMatchObject({ undated: 1, undated_same_year: 0 })
  })

  const english = anArticle('A quake hurt 62 people.', '2030-03-04', { cross_title_vector: vector('cross-title') })
  const both = { cross_title_vector: vector('cross-title'), cross_vector: vector('cross') }
  const german = anArticle('Ein Beben verletzte 17 Menschen.', '2030-03-04', both)

  it('compares across languages by the vectors for it, two articles in English never', () => {
    expect(pair(english, english).kind).not.toBe('cross')
    expect(pair(german, here).kind).not.toBe('cross') // which was stored before there were such vectors
    expect([pair(german, english), pair(german, german)].map(({ kind }) => kind)).toEqual(['cross', 'cross'])
    expect(named(pair(german, english))).toMatchObject({ numbers_apart: 1, gap_days: 0 })
    expect(named(pair(german, english))['lead_cosine']).toBeCloseTo(1, 5) // that of the titles
  })

  it('gives every feature a weight, and no weight to nothing', () => {
    const headline = { ...here, hasBody: false }

    expect(Object.keys(named(pair(here, there))).sort()).toEqual(Object.keys(model.weights.pair.body).sort())
    expect(Object.keys(named(pair(headline, there))).sort()).toEqual(Object.keys(model.weights.pair.headline).sort())
    expect(Object.keys(named(pair(german, english))).sort()).toEqual(Object.keys(model.weights.pair.cross).sort())
  })
})
