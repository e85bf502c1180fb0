import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTo, quantised, similarity, takeFrom } from './centre.ts'

const unit = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }).map((values) => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
})

describe('the centre of a story', () => {
  it('counts in steps of 1/127, halves upwards', () => {
    expect([...quantised(Float32Array.of(1, -1, 0, 0.5, -0.5))]).toEqual([127, -127, 0, 64, -63])
  })

  it('is the same in whatever order articles came, and as if those that left had never been there', () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 2, maxLength: 6 }), (vectors) => {
        const steps = vectors.map(quantised)
        const [centre, backwards] = [new Int32Array(8), new Int32Array(8)]
        for (const one of steps) addTo(centre, one)
        for (const one of steps.slice(1).reverse()) addTo(backwards, one)
        takeFrom(centre, steps[0] ?? new Int8Array(8))
        expect(centre).toEqual(backwards)
      }),
    )
  })

  it('is as near to another as the vectors are, but for the steps', () => {
    fc.assert(
      fc.property(unit, unit, (a, b) => {
        fc.pre(a.some(Boolean) && b.some(Boolean))
        const cosine = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
        const [ofA, ofB] = [new Int32Array(8), new Int32Array(8)]
        addTo(ofA, quantised(a))
        addTo(ofB, quantised(b))
        expect(similarity(ofA, ofB)).toBeCloseTo(cosine, 1)
        expect(similarity(ofB, ofA)).toBe(similarity(ofA, ofB))
      }),
    )
  })

  it('is near to nothing where it is nothing', () => {
    expect(similarity(new Int32Array(8), new Int32Array(8).fill(1))).toBe(0)
  })
})
