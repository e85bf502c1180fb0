import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bf16, f32, i8, vectors } from './vector.ts'

const DIM = 24

const unit = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIM, maxLength: DIM })
  .filter((values) => Math.hypot(...values) > 0.1)
  .map((values) => Float32Array.from(values, (value) => value / Math.hypot(...values)))
const units = fc.array(unit, { maxLength: 4 })

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / Math.hypot(...a) / Math.hypot(...b)

describe('a serialised vector', () => {
  it('returns its components unchanged in four bytes each', () => {
    fc.assert(
      fc.property(unit, (vector) => {
        expect(vectors(f32('model', vector))).toEqual([vector])
      }),
    )
  })

  it.each([
    { dtype: 'bf16', bytes: 2, write: bf16, error: 1e-4 },
    { dtype: 'i8', bytes: 1, write: i8, error: 5e-4 },
  ])('keeps its direction in $bytes bytes per component ($dtype)', ({ dtype, bytes, write, error }) => {
    fc.assert(
      fc.property(units, (given) => {
        const written = write('model', DIM, given)
        const read = vectors(written)

        expect(written).toMatchObject({ model: 'model', dim: DIM, dtype })
        expect(written.data).toHaveLength(given.length * DIM * bytes)
        expect(read).toHaveLength(given.length)
        for (const [i, vector] of read.entries()) expect(cosine(vector, given[i] ?? vector)).toBeGreaterThan(1 - error)
      }),
    )
  })

  it('has length 1 again after it was written in signed bytes', () => {
    fc.assert(
      fc.property(unit, (vector) => {
        const [read = new Float32Array()] = vectors(i8('model', DIM, [vector]))

        expect(Math.hypot(...read)).toBeCloseTo(1, 5)
      }),
    )
  })

  it('without a direction stays zero in signed bytes', () => {
    const zero = new Float32Array(DIM)

    expect(vectors(i8('model', DIM, [zero]))).toEqual([zero])
  })
})
