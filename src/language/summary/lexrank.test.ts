import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosine, lexRank, type TermWeights } from './lexrank.ts'

const words = (text: string): TermWeights => new Map(text.split(' ').map((word) => [word, 1]))
const evenly = (count: number): number[] => Array.from({ length: count }, () => 1)

const sentences = fc.array(
  fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 5 })
    .map((terms): TermWeights => new Map(terms.map((term, i) => [term, i + 1]))),
  { minLength: 1, maxLength: 20 },
)

describe('how central a sentence is', () => {
  it('is a share of one whole', () => {
    fc.assert(
      fc.property(sentences, (given) => {
        const ranks = lexRank(given, evenly(given.length))
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 6)
        expect(ranks.every((rank) => rank > 0)).toBe(true)
      }),
    )
  })

  it('does not hang on the order in which sentences are given', () => {
    fc.assert(
      fc.property(sentences, (given) => {
        const ranks = lexRank(given, evenly(given.length))
        const turned = lexRank(given.toReversed(), evenly(given.length)).toReversed()
        for (const [i, rank] of ranks.entries()) expect(turned[i]).toBeCloseTo(rank, 6)
      }),
    )
  })

  it('grows with the sentences that say alike, and with where a reader begins', () => {
    const given = ['bridge closes oslo', 'bridge closes repairs', 'bridge oslo repairs', 'ferry weather sunny'].map(
      words,
    )
    const ranks = lexRank(given, evenly(4))
    expect(Math.min(...ranks.slice(0, 3))).toBeGreaterThan(ranks[3] ?? 1)

    const [first = 0, second = 0] = lexRank(given, [3, 1, 1, 1])
    expect(first).toBeGreaterThan(second)
  })
})

it('the cosine of texts is 1 of the same, 0 of what shares nothing', () => {
  expect(cosine(words('a b'), words('b a'))).toBeCloseTo(1, 12)
  expect(cosine(words('a b'), words('c'))).toBe(0)
  expect(cosine(words('a'), new Map())).toBe(0)
  expect(cosine(words('a b'), words('a c'))).toBeCloseTo(0.5, 12)
})
