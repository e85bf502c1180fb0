import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attend, bucket, DISTANCES } from './attention.ts'
import { dense, softmax, weightedMean } from './matrices.ts'
import { openTargetedSentiment } from './open.ts'
import { stretched } from './targeted.ts'
import { parseTargeted } from './targeted-file.ts'

const component = fc.float({ min: -8, max: 8, noNaN: true })

describe('the shipped weights', () => {
  const shipped = openTargetedSentiment()
  const width = shipped.map.bias.length
  /** States of up to nine positions, and some of those as a target. */
  const reading = fc.integer({ min: 2, max: 9 }).chain((length) =>
    fc.record({
      states: fc
        .array(component, { minLength: length * width, maxLength: length * width })
        .map((values) => Float32Array.from(values)),
      target: fc.uniqueArray(fc.integer({ min: 0, max: length - 1 })).map((found) => found.sort((a, b) => a - b)),
    }),
  )

  it('score from -1 to 1, whatever the states', () => {
    fc.assert(
      fc.property(reading, ({ states, target }) => {
        const { sentiment, targets } = shipped.read(states, [target])

        for (const score of [sentiment, ...targets]) expect(Math.abs(score)).toBeLessThanOrEqual(1)
        expect(targets).toHaveLength(1)
      }),
      { numRuns: 50 },
    )
  })

  it('score a target the same, whoever else is asked for', () => {
    fc.assert(
      fc.property(reading, ({ states, target }) => {
        const alone = shipped.read(states, [target])
        const among = shipped.read(states, [[1], target, [0]])

        expect([among.sentiment, among.targets[1]]).toEqual([alone.sentiment, alone.targets[0]])
      }),
      { numRuns: 50 },
    )
  })

  it('give a target without a place the sentence’s score', () => {
    const { sentiment, targets } = shipped.read(new Float32Array(3 * width).fill(0.5), [[], [1]])

    expect(targets[0]).toBe(sentiment)
  })
})

describe('a score', () => {
  const difference = fc.float({ min: -1, max: 1, noNaN: true })
  const threshold = fc.float({ min: Math.fround(0.01), max: Math.fround(0.99), noNaN: true })

  it('reaches ±0.15 where the difference reaches the threshold, and keeps -1, 0 and 1', () => {
    fc.assert(
      fc.property(threshold, (limit) => {
        expect([-1, 0, 1].map((each) => stretched(each, limit) + 0)).toEqual([-1, 0, 1])
        expect(stretched(limit, limit)).toBeCloseTo(0.15)
        expect(stretched(-limit, limit)).toBeCloseTo(-0.15)
      }),
    )
  })

  it('never falls where the difference rises', () => {
    fc.assert(
      fc.property(difference, difference, threshold, (one, other, limit) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        expect(stretched(low, limit)).toBeLessThanOrEqual(stretched(high, limit) + 1e-9)
      }),
    )
  })
})

it('attention looks where its query points', () => {
  const identity = { weights: Float32Array.of(9, 0, 0, 9), bias: new Float32Array(2) }
  const head = { query: identity, key: identity, distance: new Float32Array(DISTANCES) }

  const seen = attend(head, {
    states: Float32Array.of(1, 0, 0, 1),
    distances: Int32Array.of(-1, 0),
    query: Float32Array.of(0, 1),
  })

  expect(seen[0]).toBeCloseTo(0)
  expect(seen[1]).toBeCloseTo(1)
})

it('distances fall into 17 buckets, the nearest in the middle', () => {
  expect([-500, -64, -8, -7, -1, 0, 1, 3, 4, 31, 64].map(bucket)).toEqual([0, 0, 3, 4, 7, 8, 9, 11, 12, 14, 16])
})

it('maps, means and probabilities are what their names say', () => {
  expect(dense({ weights: Float32Array.of(1, 2, 3, 4), bias: Float32Array.of(0, 1) }, Float32Array.of(1, 1))).toEqual(
    Float32Array.of(3, 8),
  )
  expect(weightedMean(Float32Array.of(1, 2, 3, 4), Float32Array.of(1, 3))).toEqual(Float32Array.of(2.5, 3.5))
  expect(softmax(Float32Array.of(1000, 1000))).toEqual(Float32Array.of(0.5, 0.5))
})

it('a file that was cut is refused', () => {
  const head = JSON.stringify({ layers: [3], heads: 0, threshold: 0.2, tensors: [{ name: 'map.weights', shape: [2] }] })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)

  expect(() => parseTargeted(Buffer.concat([length, Buffer.from(head), Buffer.alloc(4)]))).toThrow('4 bytes, not 8')
  expect(() => parseTargeted(Buffer.concat([length, Buffer.from(head), Buffer.alloc(8)]))).toThrow('map.bias')
})
