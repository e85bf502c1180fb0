import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attend, bucket, DISTANCES, dense, softmax, transposed } from './attention.ts'
import { sentimentLabel, CLASSES } from './sentiment.ts'
import { openTargetedSentiment, score, parseTargeted } from './targeted-sentiment.ts'

const component = fc.float({ min: -8, max: 8, noNaN: true })
const numbers = (length: number): fc.Arbitrary<Float32Array> =>
  fc.array(component, { minLength: length, maxLength: length }).map((values) => Float32Array.from(values))

describe('the shipped weights', () => {
  const shipped = openTargetedSentiment()
  const { width } = shipped
  /** States of up to nine positions, and some of those as a target. */
  const reading = fc.integer({ min: 2, max: 9 }).chain((length) =>
    fc.record({
      states: numbers(length * width),
      target: fc.uniqueArray(fc.integer({ min: 0, max: length - 1 })).map((found) => found.sort((a, b) => a - b)),
    }),
  )

  it('score from -1 to 1, whatever the states', () => {
    fc.assert(
      fc.property(reading, ({ states, target }) => {
        const { sentence, targets } = shipped.read(states, [target])

        for (const score of [sentence, ...targets]) expect(Math.abs(score)).toBeLessThanOrEqual(1)
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

        expect([among.sentence, among.targets[1]]).toEqual([alone.sentence, alone.targets[0]])
      }),
      { numRuns: 50 },
    )
  })

  it('read the beginning of a sentence of any length, and any number of targets', () => {
    const states = Float32Array.from({ length: 1_100 * width }, (_, i) => Math.sin(i))
    const targets = [[1_050], [3], ...Array.from({ length: 98 }, (_, i) => [i])]

    const { sentence, targets: scores } = shipped.read(states, targets)
    const beginning = shipped.read(states.subarray(0, 1_024 * width), [[3]])

    expect(scores).toHaveLength(100)
    expect([sentence, scores[0], scores[1], scores[5]]).toEqual([
      beginning.sentence,
      beginning.sentence,
      beginning.targets[0],
      beginning.targets[0],
    ])
  })

  it('give a target without a place the sentence’s score', () => {
    const { sentence, targets } = shipped.read(new Float32Array(3 * width).fill(0.5), [[], [1]])

    expect(targets[0]).toBe(sentence)
  })
})

describe('a score', () => {
  const chance = fc.double({ min: 1e-6, max: 1, noNaN: true })
  const probabilities = fc
    .tuple(chance, chance, chance)
    .map((each) => each.map((value) => value / each.reduce((sum, one) => sum + one)))

  it('has the label of the likeliest class', () => {
    fc.assert(
      fc.property(probabilities, (each) => {
        const [most = 0, next = 0] = [...each].sort((a, b) => b - a)
        fc.pre(most - next > 1e-6)
        expect(sentimentLabel(score(each))).toBe(CLASSES[each.indexOf(most)])
      }),
    )
  })

  it('changes its sign with the feelings’ places, and keeps within -1 and 1', () => {
    fc.assert(
      fc.property(probabilities, ([negative = 0, neutral = 0, positive = 0]) => {
        const value = score([negative, neutral, positive])
        expect(score([positive, neutral, negative])).toBeCloseTo(-value)
        expect(Math.abs(value)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('is -1, 0 and 1 for certainty, and does not jump where neutral gives way', () => {
    expect(
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [1, 1, 1],
      ]
        .map(score)
        .map((each) => each + 0),
    ).toEqual([-1, 0, 1, 0])
    expect(score([0.1, 0.4501, 0.4499])).toBeCloseTo(0.15, 2)
    expect(score([0.1, 0.4499, 0.4501])).toBeCloseTo(0.15, 2)
  })
})

it('attention looks where its query points', () => {
  const weights = Float32Array.of(9, 0, 0, 9)
  const head = { query: { weights, bias: new Float32Array(2) }, key: weights, distance: new Float32Array(DISTANCES) }
  const states = Float32Array.of(1, 0, 0, 1)
  const sentence = { states, components: transposed(states, 2), length: 2 }

  const seen = attend(head, { sentence, buckets: new Uint8Array(4), targets: Float32Array.of(0, 1, 1, 0) })

  expect([...seen].map(Math.round)).toEqual([0, 1, 1, 0])
})

it('distances fall into 17 buckets, the nearest in the middle', () => {
  expect([-500, -64, -8, -7, -1, 0, 1, 3, 4, 31, 64].map(bucket)).toEqual([0, 0, 3, 4, 7, 8, 9, 11, 12, 14, 16])
})

it('maps, means and probabilities are what their names say', () => {
  const map = { weights: Float32Array.of(1, 2, 3, 4), bias: Float32Array.of(0, 1) }

  expect(dense(map, Float32Array.of(1, 1, 0, 1))).toEqual(Float32Array.of(3, 8, 2, 5))
  expect(transposed(Float32Array.of(1, 2, 3, 4, 5, 6), 3)).toEqual(Float32Array.of(1, 4, 2, 5, 3, 6))
  expect(softmax(Float32Array.of(1000, 1000, 0, 1000), 2)).toEqual(Float32Array.of(0.5, 0.5, 0, 1))
})

it('a file that was cut is refused', () => {
  const tensors = [{ name: 'hidden.weights', shape: [2] }]
  const head = JSON.stringify({ width: 2, heads: 0, graph: 3, tensors })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  const fileOf = (bytes: number): Buffer => Buffer.concat([length, Buffer.from(head), Buffer.alloc(3 + bytes)])

  expect(() => parseTargeted(fileOf(4))).toThrow('4 bytes, not 8')
  expect(() => parseTargeted(fileOf(8))).toThrow('hidden.bias')
})
