import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packFeatures, type FeatureBlock } from './packed-features.ts'
import { BRIEF_WORDS, briefHamming, hamming, sketch, SKETCH_WORDS } from './sketch.ts'
import { packed } from './terms.ts'

const none = packed(new Map())
const articleWith = (lead: Float32Array): FeatureBlock =>
  packFeatures({
    lead,
    title: lead,
    bodyTerms: none,
    titleTerms: none,
    entityTerms: none,
    keys: none,
    evidence: {},
    cross: null,
  })

const sketchOf = (mu: Float32Array, ...leads: Float32Array[]): Uint32Array => {
  const into = new Uint32Array(SKETCH_WORDS)
  sketch(leads.map(articleWith), mu, { into, offset: 0 })
  return into
}

it('has one bit a component that lies above the mean of all news', () => {
  const axis = (component: number) => Float32Array.from({ length: 384 }, (_, i) => Number(i === component))
  const mu = new Float32Array(384).fill(0.01)
  const both = sketchOf(mu, axis(3), axis(40))

  expect(hamming(sketchOf(mu, axis(3)), sketchOf(mu, axis(40)), 0)).toBe(2)
  expect(hamming(both, sketchOf(mu, axis(3)), 0)).toBe(1)
  expect(
    hamming(
      both,
      sketchOf(
        mu.map((value) => 50 * value),
        axis(3),
        axis(40),
      ),
      0,
    ),
  ).toBe(2) // exactly the mean
})

const sketches = fc.array(fc.nat(0xffffffff), { minLength: SKETCH_WORDS, maxLength: SKETCH_WORDS })

it('counts the bits in which two sketches differ, whichever they are', () => {
  fc.assert(
    fc.property(sketches, sketches, fc.nat(3), (one, other, row) => {
      const rows = new Uint32Array(SKETCH_WORDS * 4)
      rows.set(other, row * SKETCH_WORDS)
      const differing = one.map((word, i) => ((word ^ (other[i] ?? 0)) >>> 0).toString(2).replaceAll('0', '').length)

      const sum = (of: readonly number[]): number => of.reduce((total, n) => total + n, 0)

      expect(hamming(Uint32Array.from(one), rows, row * SKETCH_WORDS)).toBe(sum(differing))
      expect(briefHamming(Uint32Array.from(one), rows, row * SKETCH_WORDS)).toBe(sum(differing.slice(0, BRIEF_WORDS)))
    }),
  )
})
