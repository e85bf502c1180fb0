import { describe, expect, it } from 'vitest'
import { fit, logit, type LabelledSet } from './logistic.ts'

/** Mulberry32. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Pairs whose true logit is 3x - 2y - 1. */
function sampled(size: number, seed: number): LabelledSet {
  const next = random(seed)
  const rows = Array.from({ length: size }, () => [4 * next() - 2, 4 * next() - 2])
  return { rows, labels: rows.map((row) => next() < 1 / (1 + Math.exp(-logit(row, [3, -2, -1])))) }
}

describe('fit', () => {
  it('finds the weights that the labels were drawn from, but for the bias, which follows from the weighing', () => {
    const [x = 0, y = 0] = fit([sampled(20_000, 1)])

    expect(x).toBeCloseTo(3, 0)
    expect(y).toBeCloseTo(-2, 0)
    expect(x / y).toBeCloseTo(-1.5, 1)
  })

  it('weighs a small set like a large one', () => {
    const large = sampled(3_000, 2)
    const turned = { rows: large.rows.slice(0, 300), labels: large.labels.slice(0, 300).map((label) => !label) }

    expect(Math.abs(fit([large, turned])[0] ?? 9)).toBeLessThan(0.5)
  })

  it('stays finite where one feature parts the labels', () => {
    const rows = [[1], [2], [-1], [-2]]
    const [weight = Infinity] = fit([{ rows, labels: [true, true, false, false] }])

    expect(weight).toBeGreaterThan(1)
    expect(weight).toBeLessThan(20)
  })
})
