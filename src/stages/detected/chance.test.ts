import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chance } from './chance.ts'

/** Summed as fractions. */
const KNOWN = [
  [13, 140, 1 / 57, 3.6349623028259437e-6],
  [8, 140, 1 / 169, 3.3945906050810646e-6],
  [3, 5, 1 / 25, 3.0796790431744e-3],
  [5, 0, 1 / 8, 3.0517578125e-5],
  [60, 1400, 3 / 171, 3.30251120870373e-9],
  [40, 300, 1 / 29, 2.357329918874009e-11],
  [7, 21, 1 / 8, 5.2508385235369805e-2],
  [1, 700, 1 / 900, 5.412830499681985e-1],
] as const

describe('the chance of as many in a window', () => {
  it.each(KNOWN)('of %i beside %i before, the window %f of the time, is %f', (count, prior, share, known) => {
    expect(Math.abs(chance({ count, prior, share }) / known - 1)).toBeLessThan(1e-11)
  })

  it('is certain where no more came than was to be expected', () => {
    expect(chance({ count: 0, prior: 3, share: 0.1 })).toBe(1)
    expect(chance({ count: 5, prior: 45, share: 0.1 })).toBe(1)
  })

  it('falls with the count and rises with what came before', () => {
    const whole = fc.integer({ min: 1, max: 400 })
    fc.assert(
      fc.property(whole, whole, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (count, prior, share) => {
        const one = chance({ count, prior, share })
        expect(chance({ count: count + 1, prior, share })).toBeLessThanOrEqual(one * (1 + 1e-9))
        expect(chance({ count, prior: prior + 1, share })).toBeGreaterThanOrEqual(one * (1 - 1e-9))
      }),
    )
  })
})
