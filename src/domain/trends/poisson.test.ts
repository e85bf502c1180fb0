import { describe, expect, it } from 'vitest'
import { upperTail } from './poisson.ts'

/** Summed with 400 digits. */
const KNOWN = [
  [5, 1, 3.659846827343712e-3],
  [10, 2, 4.649807501726381e-5],
  [20, 5, 3.45213582091446e-7],
  [50, 10, 1.854726883869799e-19],
  [3, 7.5, 9.797432849433356e-1],
  [1, 0.001, 9.995001666250083e-4],
  [200, 150, 5.709688574208244e-5],
  [100, 100, 5.132987982791487e-1],
  [33, 0.5, 8.252937679259628e-48],
  [1000, 1200, 9.999999987118394e-1],
  [60, 0.25, 7.070261625916974e-119],
] as const

describe('the upper tail of a Poisson variable', () => {
  it.each(KNOWN)('of %i and more where %f are expected is %e', (count, mean, known) => {
    expect(Math.abs(upperTail(count, mean) / known - 1)).toBeLessThan(1e-11)
  })

  it('is certain of none or more, and impossible of any where none can come', () => {
    expect(upperTail(0, 3)).toBe(1)
    expect(upperTail(-1, 3)).toBe(1)
    expect(upperTail(0, 0)).toBe(1)
    expect(upperTail(1, 0)).toBe(0)
  })

  it('falls with the count and rises with the mean', () => {
    for (const mean of [0.1, 1, 8, 31.5, 200]) {
      for (let count = 1; count < 300; count++) {
        expect(upperTail(count + 1, mean)).toBeLessThanOrEqual(upperTail(count, mean))
        expect(upperTail(count, mean * 1.1)).toBeGreaterThanOrEqual(upperTail(count, mean))
      }
    }
  })

  it('loses nothing between one way of summing and the other', () => {
    for (const count of [1, 2, 31, 32, 33, 500]) {
      const [below, above] = [upperTail(count, count * (1 - 1e-12)), upperTail(count, count)]
      expect(Math.abs(above - below)).toBeLessThan(1e-9)
    }
  })
})
