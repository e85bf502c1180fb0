import fc from 'fast-check'
import { expect, it } from 'vitest'
import { certainty } from './certainty.ts'
import { TAGS } from './tags.ts'

const WIDTH = TAGS.length
const score = fc.double({ min: -3, max: 3, noNaN: true })
const row = (n: number) => fc.array(score, { minLength: n, maxLength: n }).map((values) => Float32Array.from(values))

/** The same by summing over every sequence of tags. */
function bruteForce(emissions: Float32Array, transitions: Float32Array, start: Float32Array): number {
  const words = emissions.length / WIDTH
  const marginals = new Float64Array(emissions.length)
  for (let code = 0; code < WIDTH ** words; code++) {
    const tags = Array.from({ length: words }, (_, i) => Math.floor(code / WIDTH ** i) % WIDTH)
    const total = tags.reduce((sum, tag, i) => {
      const before = i === 0 ? start[tag] : transitions[(tags[i - 1] ?? 0) * WIDTH + tag]
      return sum + (emissions[i * WIDTH + tag] ?? 0) + (before ?? 0)
    }, 0)
    tags.forEach((tag, i) => (marginals[i * WIDTH + tag] = (marginals[i * WIDTH + tag] ?? 0) + Math.exp(total)))
  }
  const rows = Array.from({ length: words }, (_, i) => marginals.subarray(i * WIDTH, (i + 1) * WIDTH))
  return Math.min(...rows.map((each) => Math.max(...each) / each.reduce((a, b) => a + b, 0)))
}

it('is the least of the best marginals over all sequences of tags', () => {
  fc.assert(
    fc.property(row(3 * WIDTH), row(WIDTH * WIDTH), row(WIDTH), (emissions, transitions, start) => {
      expect(certainty(emissions, { transitions, start })).toBeCloseTo(bruteForce(emissions, transitions, start), 5)
    }),
    { numRuns: 20 },
  )
})

it('is 1 where there is nothing to doubt, and low where two tags are as good', () => {
  const chain = { transitions: new Float32Array(WIDTH * WIDTH), start: new Float32Array(WIDTH) }
  const sure = new Float32Array(WIDTH).fill(-50)
  sure[0] = 0
  const torn = new Float32Array(WIDTH).fill(-50)
  torn[1] = torn[3] = 0

  expect(certainty(new Float32Array(), chain)).toBe(1)
  expect(certainty(sure, chain)).toBeCloseTo(1)
  expect(certainty(Float32Array.of(...sure, ...torn), chain)).toBeCloseTo(0.5)
})
