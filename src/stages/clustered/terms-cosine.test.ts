import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidence } from './evidence.ts'
import { packFeatures, SECTIONS, type FeatureBlock, type LooseFeatures } from './packed-features.ts'
import { agree, disagree, termsCosine } from './terms-cosine.ts'
import { packed, unit } from './terms.ts'

const none = packed(new Map())
const blockWith = (over: Partial<LooseFeatures>): FeatureBlock =>
  packFeatures({
    lead: new Float32Array(384),
    title: new Float32Array(384),
    bodyTerms: none,
    titleTerms: none,
    entityTerms: none,
    keys: none,
    evidence: {},
    cross: null,
    ...over,
  })

const weights = fc.dictionary(fc.string({ maxLength: 4 }), fc.double({ min: 0.01, max: 9, noNaN: true }), {
  maxKeys: 40,
})

it('is the cosine of the maps that the terms come from', () => {
  fc.assert(
    fc.property(weights, weights, (a, b) => {
      const dot = (x: typeof a, y: typeof a) => Object.keys(x).reduce((sum, k) => sum + (x[k] ?? 0) * (y[k] ?? 0), 0)
      const expected = dot(a, b) / (Math.sqrt(dot(a, a) * dot(b, b)) || 1)
      const [one, other] = [a, b].map((terms) => blockWith({ titleTerms: unit(new Map(Object.entries(terms))) }))
      if (one === undefined || other === undefined) throw new Error('two blocks')

      expect(termsCosine(one, other, SECTIONS.title)).toBeCloseTo(expected, 1)
      expect(termsCosine(one, other, SECTIONS.title)).toBeCloseTo(termsCosine(other, one, SECTIONS.title), 12)
      expect(termsCosine(one, other, SECTIONS.body)).toBe(0)
    }),
  )
})

describe('agree and disagree', () => {
  const numbers = (text: string) => blockWith({ evidence: evidence(text) })

  it('need something on both sides', () => {
    expect(disagree(numbers('17 hurt'), numbers('18 hurt'), SECTIONS.numbers)).toBe(true)
    expect(disagree(numbers('17 hurt'), numbers('some hurt'), SECTIONS.numbers)).toBe(false)
    expect(agree(numbers('none'), numbers('some'), SECTIONS.numbers)).toBe(false)
  })

  it('need one thing in common, among others', () => {
    const [one, other] = [numbers('17 hurt, 45 fled, 300 homes'), numbers('17 dead, 90 fled')]

    expect(agree(one, other, SECTIONS.numbers)).toBe(true)
    expect(disagree(one, other, SECTIONS.numbers)).toBe(false)
  })
})
