import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { count, idf, packed, termsCosine, termsFromBytes, termsToBytes, unit, weigh } from './terms.ts'

const table = { documents: 99, counts: new Map([['common', 49]]) }

describe('tf-idf', () => {
  it('weighs by (1 + ln tf) * ln((N + 1) / (df + 1)); an unknown term is in no document', () => {
    const weights = weigh(count(['common', 'rare', 'rare', 'rare']), table)

    expect(weights.get('common')).toBeCloseTo(Math.log(2), 12)
    expect(weights.get('rare')).toBeCloseTo((1 + Math.log(3)) * Math.log(100), 12)
    expect(idf(table, 'rare')).toBeCloseTo(Math.log(100), 12)
  })
})

const weights = fc.dictionary(fc.string({ maxLength: 4 }), fc.double({ min: 0.01, max: 9, noNaN: true }), {
  maxKeys: 40,
})

describe('terms', () => {
  it('have the cosine of the maps they come from', () => {
    fc.assert(
      fc.property(weights, weights, (a, b) => {
        const dot = (x: typeof a, y: typeof a) => Object.keys(x).reduce((sum, k) => sum + (x[k] ?? 0) * (y[k] ?? 0), 0)
        const expected = dot(a, b) / (Math.sqrt(dot(a, a) * dot(b, b)) || 1)

        expect(termsCosine(unit(new Map(Object.entries(a))), unit(new Map(Object.entries(b))))).toBeCloseTo(expected, 5)
      }),
    )
  })

  it('are the same after a trip over the wire', () => {
    fc.assert(
      fc.property(weights, (given) => {
        const terms = packed(new Map(Object.entries(given)))

        expect(termsFromBytes(termsToBytes(terms))).toEqual(terms)
      }),
    )
  })
})
