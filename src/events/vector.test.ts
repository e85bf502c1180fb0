import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../quality/seeded-random.ts'
import { bf16, f32, i8, vectors, type Vector } from './vector.ts'

const DIM = 384

/** Components as an encoder's: normally distributed. */
const unit = fc.integer().map((seed) => {
  const random = seeded(String(seed))
  const values = Array.from(
    { length: DIM },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  )
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
})
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
    { dtype: 'i8', bytes: 1, write: i8, error: 3e-4 },
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

  it('of an unknown form is an error', () => {
    const later = { model: 'model', dim: 1, dtype: 'f64', data: Buffer.alloc(8) } as unknown as Vector

    expect(() => vectors(later)).toThrow('unknown dtype of a vector: f64')
  })

  it('without a direction stays zero in signed bytes', () => {
    const zero = new Float32Array(DIM)

    expect(vectors(i8('model', DIM, [zero]))).toEqual([zero])
  })
})
