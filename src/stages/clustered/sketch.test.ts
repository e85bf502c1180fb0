import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hamming, sketch, SKETCH_WORDS } from './sketch.ts'

const of = (...leads: Float32Array[]): Uint32Array => {
  const into = new Uint32Array(SKETCH_WORDS)
  sketch(leads, new Float32Array(384).fill(0.1), { into, offset: 0 })
  return into
}

it('has one bit a component that lies above the mean of all news', () => {
  const high = new Float32Array(384).fill(0.2)
  const low = new Float32Array(384)
  const half = low.map((_, i) => (i < 100 ? 0.2 : 0))

  expect(hamming(of(high), of(low), 0)).toBe(384)
  expect(hamming(of(high), of(half), 0)).toBe(284)
  expect(hamming(of(half, low), of(low), 0)).toBe(0) // a mean of exactly 0.1 is not above it
  expect(hamming(of(half, high), of(high), 0)).toBe(284)
})

const sketches = fc.array(fc.nat(0xffffffff), { minLength: SKETCH_WORDS, maxLength: SKETCH_WORDS })

it('counts the bits in which two sketches differ, whichever they are', () => {
  fc.assert(
    fc.property(sketches, sketches, fc.nat(3), (one, other, row) => {
      const rows = new Uint32Array(SKETCH_WORDS * 4)
      rows.set(other, row * SKETCH_WORDS)
      const differing = one.map((word, i) => ((word ^ (other[i] ?? 0)) >>> 0).toString(2).replaceAll('0', '').length)

      expect(hamming(Uint32Array.from(one), rows, row * SKETCH_WORDS)).toBe(differing.reduce((sum, n) => sum + n, 0))
    }),
  )
})
