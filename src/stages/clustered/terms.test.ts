import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { count, idf, mostWeighed, packed, packTerms, termsFromBytes, weigh } from './terms.ts'

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
  it('are packed in order, with their share of the largest weight', () => {
    fc.assert(
      fc.property(weights, (given) => {
        const terms = packed(new Map(Object.entries(given)))
        const most = Math.max(...terms.weights)

        const short = packTerms(terms)

        expect([...short]).toEqual([...short].sort((a, b) => a - b))
        expect(short.map((term) => term >>> 8)).toEqual(terms.hashes.map((hash) => hash >>> 8))
        short.forEach((term, i) => {
          const expected = (255 * (terms.weights[i] ?? 0)) / most
          expect(Math.abs((term & 255) - Math.max(1, expected))).toBeLessThanOrEqual(0.501)
        })
      }),
    )
  })

  it('are one if the first 24 bits of their hashes are equal', () => {
    const terms = { hashes: Uint32Array.of(0x100, 0x101, 0x200), weights: Float32Array.of(1, 1, 0.5) }

    expect([...packTerms(terms)]).toEqual([0x1ff, 0x280])
  })

  it('are those with the largest weights where there are too many', () => {
    const terms = { hashes: Uint32Array.of(1, 2, 3, 4), weights: Float32Array.of(0.25, 0.75, 0.5, 0.5) }

    expect(mostWeighed(terms, 4)).toBe(terms)
    expect(mostWeighed(terms, 2)).toEqual({ hashes: Uint32Array.of(2, 3), weights: Float32Array.of(0.75, 0.5) })
    expect(mostWeighed(terms, 1)).toEqual({ hashes: Uint32Array.of(2), weights: Float32Array.of(0.75) })
    expect(mostWeighed(terms, 3)).toEqual({ hashes: Uint32Array.of(2, 3, 4), weights: Float32Array.of(0.75, 0.5, 0.5) })
  })

  it('of older records are all hashes, then all weights', () => {
    const bytes = Buffer.from(Uint32Array.of(7, 9, 0, 0).buffer)
    bytes.writeFloatLE(0.5, 8)
    bytes.writeFloatLE(0.25, 12)

    expect(termsFromBytes(bytes)).toEqual({ hashes: Uint32Array.of(7, 9), weights: Float32Array.of(0.5, 0.25) })
  })
})
