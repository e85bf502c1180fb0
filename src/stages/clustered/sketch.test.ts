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
