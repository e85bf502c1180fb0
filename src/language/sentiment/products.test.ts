import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import wabt from 'wabt'
import { place, products, freeAfter } from './products.ts'

const component = fc.float({ min: -8, max: 8, noNaN: true })
const numbers = (length: number): fc.Arbitrary<Float32Array> =>
  fc.array(component, { minLength: length, maxLength: length }).map((values) => Float32Array.from(values))
const matrices = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 21 }))
  .chain(([rows, columns, size]) => fc.tuple(numbers(rows * size), numbers(columns * size), fc.constant(size)))

it('multiplies each row with each other row', () => {
  fc.assert(
    fc.property(matrices, ([a, b, size]) => {
      const rowsOf = (values: Float32Array): number[][] =>
        Array.from({ length: values.length / size }, (_, row) => [...values.subarray(row * size, (row + 1) * size)])
      const expected = rowsOf(a).flatMap((row) =>
        rowsOf(b).map((other) => row.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0)),
      )

      const found = freeAfter(() => Array.from(products(a, b, size)))

      found.forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? NaN, 3))
      expect(found).toHaveLength(expected.length)
    }),
  )
})

it('gives the same bits for a row whatever stands beside it', () => {
  fc.assert(
    fc.property(matrices, ([a, b, size]) => {
      const last = (values: Float32Array): Float32Array => values.slice(-size)

      const among = freeAfter(() => products(a, b, size).at(-1))
      const alone = freeAfter(() => products(last(a), place(last(b)), size).at(-1))

      expect(among).toBe(alone)
    }),
  )
})

it('reuses its memory, and refuses what does not fit into it', () => {
  const [rows, size] = [Float32Array.from({ length: 1000 * 64 }, () => 1), 64]
  const work = (): number => freeAfter(() => products(rows, rows.subarray(0, 640), size).at(-1) ?? 0)

  expect(Array.from({ length: 100 }, work).every((sum) => sum === size)).toBe(true)
  expect(() => freeAfter(() => products(rows, rows, 1))).toThrow(RangeError)
  expect(work()).toBe(size)
})

it('is assembled from products.wat', async () => {
  const assembler = await wabt()
  const source = readFileSync(new URL('products.wat', import.meta.url), 'utf8')

  const { buffer } = assembler.parseWat('products.wat', source, { simd: true }).toBinary({})

  const code = Buffer.from(buffer).toString('base64')
  const file = `/** \`products.wat\`, assembled: run \`products.test.ts\` with \`-u\` after a change. */\nexport const PRODUCTS_WASM =\n  '${code}'\n`
  await expect(file).toMatchFileSnapshot('products-wasm.ts')
})
