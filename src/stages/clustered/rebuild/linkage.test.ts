import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bond } from '../linkage-features.ts'
import { allSteps } from '../../../state/steps.ts'
import { pairsOf, sampledMeans } from './link-means.ts'
import { averageLinkage, type Tree } from './linkage.ts'

const THRESHOLD = 0.5
const PLAIN = { cohesion_share: 0, cohesion_most: 0, size_share: 0, size_from: 2, size_most: 6 }
const COHESION = { ...PLAIN, cohesion_share: 0.7, cohesion_most: 2 }
const BY_SIZE = { ...PLAIN, size_share: 0.8 }

/** Links of `size` nodes, symmetric, with few equal values. */
const someLinks = fc
  .integer({ min: 2, max: 9 })
  .chain((size) =>
    fc.record({
      size: fc.constant(size),
      values: fc.array(fc.integer({ min: -4_000, max: 4_000 }), { minLength: size * size, maxLength: size * size }),
    }),
  )
  .map(({ size, values }) => ({
    size,
    link: (a: number, b: number) => (values[Math.min(a, b) * size + Math.max(a, b)] ?? 0) / 1_000,
  }))

type LinkageLink = (a: number, b: number) => number

const linked = (size: number, link: LinkageLink, over: Partial<Parameters<typeof averageLinkage>[0]> = {}) => {
  const nodes = Array.from({ length: size }, (_, i) => i)
  const links = nodes.flatMap((a) => nodes.flatMap((b) => (a < b && link(a, b) > THRESHOLD ? [[a, b] as const] : [])))
  const groups = nodes.map((node) => [node])
  return allSteps(
    averageLinkage({
      groups,
      links,
      threshold: THRESHOLD,
      means: sampledMeans(link, { sample: 100, isInEnglish: () => true }),
      apart: [],
      weights: PLAIN,
      usesCohesion: () => true,
      isInEnglish: () => true,
      usesSize: () => true,
      ...over,
    }),
  )
}

const asSets = (trees: readonly Tree[]) => trees.map(({ nodes }) => [...nodes].sort((a, b) => a - b))

const mean = (one: readonly number[], other: readonly number[], link: LinkageLink): number =>
  one.flatMap((a) => other.map((b) => link(a, b))).reduce((sum, value) => sum + value, 0) / (one.length * other.length)

const within = (group: readonly number[], link: LinkageLink): number | null =>
  group.length === 1
    ? null
    : group.flatMap((a) => group.flatMap((b) => (a < b ? [link(a, b)] : []))).reduce((sum, value) => sum + value, 0) /
      ((group.length * (group.length - 1)) / 2)

/**
 * The textbook algorithm: of all pairs of groups, join the one with the highest mean, until none is above the
 * threshold.
 */
function byTheBook(size: number, link: LinkageLink, weights = PLAIN): number[][] {
  let groups = Array.from({ length: size }, (_, i) => [i])
  for (;;) {
    let best: { value: number; one: number[]; other: number[] } | null = null
    for (const one of groups) {
      for (const other of groups) {
        const both = one.length + other.length
        const value = bond(
          mean(one, other, link),
          { within: [within(one, link), within(other, link)], size: both },
          weights,
        )
        if ((one[0] ?? 0) < (other[0] ?? 0) && value > (best?.value ?? THRESHOLD)) best = { value, one, other }
      }
    }
    if (best === null) return groups
    const { one, other } = best
    const joined = [...one, ...other].sort((a, b) => a - b)
    groups = [...groups.filter((group) => group !== one && group !== other), joined]
    groups.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
  }
}

describe('averageLinkage', () => {
  it('joins what average linkage by the book joins', () => {
    fc.assert(
      fc.property(someLinks, ({ size, link }) => {
        expect(asSets(linked(size, link))).toEqual(byTheBook(size, link))
      }),
      { numRuns: 300 },
    )
  })

  it('joins by the book what holds together no better by itself', () => {
    fc.assert(
      fc.property(someLinks, ({ size, link }) => {
        expect(asSets(linked(size, link, { weights: COHESION }))).toEqual(byTheBook(size, link, COHESION))
      }),
      { numRuns: 300 },
    )
  })

  it('joins by the book what is the more alike the larger it is', () => {
    fc.assert(
      fc.property(someLinks, ({ size, link }) => {
        expect(asSets(linked(size, link, { weights: BY_SIZE }))).toEqual(byTheBook(size, link, BY_SIZE))
      }),
      { numRuns: 300 },
    )
  })

  it('asks more of a large group, unless some of it is not held to size', () => {
    const alike: LinkageLink = () => 1

    expect(asSets(linked(6, alike))).toHaveLength(1)
    expect(asSets(linked(6, alike, { weights: BY_SIZE })).map(({ length }) => length)).toEqual([2, 2, 2])
    expect(asSets(linked(6, alike, { weights: BY_SIZE, usesSize: (node) => node !== 0 }))).toHaveLength(1)
  })

  it('keeps two tight groups apart that are alike, and joins two loose ones that are as much so', () => {
    const halves =
      (inside: number): LinkageLink =>
      (a, b) =>
        a < 3 === b < 3 ? inside : 1

    expect(asSets(linked(6, halves(5)))).toEqual([[0, 1, 2, 3, 4, 5]])
    expect(asSets(linked(6, halves(5), { weights: { ...COHESION, cohesion_most: 4 } }))).toHaveLength(2)
    expect(asSets(linked(6, halves(1.1), { weights: { ...COHESION, cohesion_most: 4 } }))).toHaveLength(1)
  })

  it('measures one article by no cohesion, having none of its own', () => {
    const besides: LinkageLink = (a, b) => (Math.max(a, b) === 3 ? 1 : 5)

    expect(asSets(linked(4, besides, { weights: { ...COHESION, cohesion_most: 4 } }))).toEqual([[0, 1, 2, 3]])
  })

  it('leaves no two groups whose mean link is above the threshold, and joined none below it', () => {
    fc.assert(
      fc.property(someLinks, ({ size, link }) => {
        const trees = linked(size, link)

        for (const [i, one] of trees.entries()) {
          for (const other of trees.slice(i + 1)) {
            expect(mean(one.nodes, other.nodes, link)).toBeLessThanOrEqual(THRESHOLD + 1e-6)
          }
          for (const { left, right } of joins(one))
            expect(mean(left.nodes, right.nodes, link)).toBeGreaterThan(THRESHOLD)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('measures a large group and a small one, however low the estimate was', () => {
    // the nodes of the large group that an estimate reads are the only ones without a link to the others
    const isSampled = (node: number): boolean => node < 32 && node % 4 === 0
    const uneven: LinkageLink = (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      if (high < 32 || low >= 32) return 5
      return isSampled(low) ? -6 : 3
    }
    const groups = [Array.from({ length: 32 }, (_, i) => i), [32], [33]]

    expect(
      asSets(linked(34, uneven, { groups, means: sampledMeans(uneven, { sample: 32, isInEnglish: () => true }) })),
    ).toHaveLength(1)
  })

  it('never takes apart what it began with, nor brings together what is kept apart', () => {
    fc.assert(
      fc.property(someLinks, ({ size, link }) => {
        const groups = [[0, size - 1], ...Array.from({ length: size - 2 }, (_, i) => [i + 1])]
        const apart = groups.length > 1 ? [[0, 1] as const] : []
        const trees = asSets(linked(size, link, { groups, apart }))

        const home = trees.find((nodes) => nodes.includes(0))
        expect(home).toContain(size - 1)
        if (size > 2) expect(home).not.toContain(1)
      }),
    )
  })

  it('lets some nodes stand for all of a large group', () => {
    const tree = (nodes: number[]): Tree => ({
      nodes,
      within: null,
      usesCohesion: true,
      usesSize: true,
      inEnglish: nodes.length,
      joined: null,
    })

    expect(pairsOf(tree([9, 1, 5, 3, 7]), tree([2]), { sample: 3, isInEnglish: () => true })).toEqual([
      [1, 2],
      [3, 2],
      [7, 2],
    ])
    expect(pairsOf(tree([1, 3]), tree([2, 4]), { sample: 2, isInEnglish: () => true })).toHaveLength(4)
  })
})

const joins = ({ joined }: Tree): { left: Tree; right: Tree }[] =>
  joined === null ? [] : [joined, ...joins(joined.left), ...joins(joined.right)]
