import fc from 'fast-check'
import { expect, it } from 'vitest'
import { containment, stirred } from './fingerprint.ts'
import { sampledContainment, sampleShingles } from './shingle-sample.ts'

/** Hashes of the shingles with these numbers, ascending. */
const shingles = (from: number, to: number): Uint32Array =>
  Uint32Array.from({ length: to - from }, (_, i) => stirred(from + i + 1)).sort()

it('is the exact share for texts of up to 160 shingles', () => {
  fc.assert(
    fc.property(
      fc.nat(150),
      fc.integer({ min: 1, max: 160 }),
      fc.integer({ min: 1, max: 160 }),
      (start, one, other) => {
        const [a, b] = [shingles(0, one), shingles(start, start + other)]

        expect(sampledContainment(sampleShingles(a), sampleShingles(b))).toBeCloseTo(containment(a, b), 1)
      },
    ),
  )
})

it('is near the exact share for longer texts, from either side', () => {
  fc.assert(
    fc.property(
      fc.nat(3_000),
      fc.integer({ min: 500, max: 4_000 }),
      fc.integer({ min: 500, max: 4_000 }),
      (start, one, other) => {
        const [a, b] = [shingles(0, one), shingles(start, start + other)]
        const [own, near] = [sampleShingles(a), sampleShingles(b)]

        // Both are compared at the sparser of the two rates, which leaves so many shingles of the shorter text.
        const compared = Math.min(one, other) * Math.min(own.length / one, near.length / other)
        // The standard error of a share among them, five times: one case in a million is outside.
        const bound = 5 * Math.sqrt(0.25 / compared)
        expect(Math.abs(sampledContainment(own, near) - containment(a, b))).toBeLessThan(bound)
        expect(sampledContainment(near, own)).toBe(sampledContainment(own, near))
      },
    ),
  )
})

it('keeps at most 160 shingles, and none of a text without', () => {
  expect(sampleShingles(shingles(0, 4_000)).length).toBeLessThanOrEqual(162)
  expect(sampleShingles(shingles(0, 4_000)).length).toBeGreaterThan(60)
  expect(sampleShingles(new Uint32Array())).toHaveLength(0)
  expect(sampledContainment(new Uint16Array(), sampleShingles(shingles(0, 9)))).toBe(0)
})

it('finds all of a part of a text in it', () => {
  for (const [from, to] of [
    [0, 3_000],
    [900, 1_200],
    [10, 70],
  ] as const) {
    expect(sampledContainment(sampleShingles(shingles(0, 3_000)), sampleShingles(shingles(from, to)))).toBe(1)
  }
})
