import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  entityIndex,
  isDecided,
  minArticles,
  nextSteps,
  pairsAmong,
  pairsOf,
  commonOffsets,
  reachedFrom,
  strengthOf,
  type IndexedEntity,
} from './entity-index.ts'

const posting = (id: string, places: readonly number[]): IndexedEntity => ({
  id,
  name: id,
  type: 'PERSON',
  offsets: places,
})

/** Entities a to h, each mentioned in some of twelve articles. */
const somePostings = fc
  .array(fc.uniqueArray(fc.nat(11), { minLength: 1 }), { minLength: 1, maxLength: 8 })
  .map((lists) => lists.map((places, i) => posting('abcdefgh'.charAt(i), places)))

const both = (one: IndexedEntity, other: IndexedEntity): number[] =>
  one.offsets.filter((place) => other.offsets.includes(place))

/** The number of articles that mention both, by brute force. */
const counted = (postings: readonly IndexedEntity[], one: string, other: string): number => {
  const [first, second] = [one, other].map((id) => postings.find((each) => each.id === id))
  return first === undefined || second === undefined || one === other ? 0 : both(first, second).length
}

it('counts pairs as looking at each two does', () => {
  fc.assert(
    fc.property(somePostings, fc.integer({ min: 1, max: 4 }), (postings, least) => {
      const index = entityIndex(postings, true)
      const ids = postings.map(({ id }) => id)
      const pairs = ids.flatMap((one) => ids.filter((other) => one < other).map((other) => ({ one, other })))
      const all = pairs.map((pair) => ({ ...pair, articles: counted(postings, pair.one, pair.other) }))

      expect(index.maxCommon).toBe(Math.max(0, ...all.map(({ articles }) => articles)))
      expect(pairsAmong(index, ids, least)).toEqual(
        all
          .filter(({ articles }) => articles >= least)
          .sort((a, b) => b.articles - a.articles || (a.one + a.other < b.one + b.other ? -1 : 1)),
      )
      for (const { one, other, articles } of all) {
        expect(pairsOf(index, other, 1).find((pair) => pair.other === one)?.articles ?? 0).toBe(articles)
        expect(commonOffsets(index, { one, other })).toHaveLength(articles)
      }
    }),
  )
})

it('knows whether entities that are missing could be the strongest pair', () => {
  const some = [posting('a', [1, 2, 3, 4]), posting('b', [2, 3, 4])]

  expect(isDecided(entityIndex(some, false))).toBe(true) // a and b share three articles; a missing entity has at most 3
  expect(isDecided(entityIndex([posting('a', [1, 2, 3, 4]), posting('b', [4, 5, 6])], false))).toBe(false)
  expect(isDecided(entityIndex([posting('a', [1, 2, 3, 4]), posting('b', [4, 5, 6])], true))).toBe(true)
})

it('a strength is met by no fewer articles than it says', () => {
  expect(minArticles(0.3, 10)).toBe(3)
  expect(minArticles(0.31, 10)).toBe(4)
  expect(minArticles(0, 10)).toBe(1)
  expect(minArticles(1, 7)).toBe(7)
  expect(strengthOf(2, 3)).toBe(0.666667)
})

it('goes on to each once, over the strongest pair', () => {
  const index = entityIndex(
    [posting('a', [1, 2, 3]), posting('b', [1, 2, 7, 8, 9]), posting('c', [3, 5]), posting('d', [5, 7, 8])],
    true,
  )
  const step = (from: string[], seen: string[], includes = () => true) =>
    nextSteps(index, { from, seen: new Set(seen), least: 1, includes })

  expect(step(['a'], ['a'])).toEqual([
    { one: 'a', other: 'b', articles: 2 },
    { one: 'a', other: 'c', articles: 1 },
  ])
  expect(step(['b', 'c'], ['a', 'b', 'c'])).toEqual([{ one: 'b', other: 'd', articles: 2 }])
  expect(step(['a'], ['a'], () => false)).toEqual([])
})

/** The strongest path of at most `depth` steps to each entity, by brute force. */
function ways(postings: readonly IndexedEntity[], root: string, { depth, least }: { depth: number; least: number }) {
  const found = new Map<string, { width: number; steps: number }>()
  const go = (at: string, width: number, steps: number): void => {
    for (const { id } of postings) {
      const articles = counted(postings, at, id)
      if (articles < least || id === root) continue
      const way = { width: Math.min(width, articles), steps: steps + 1 }
      const before = found.get(id)
      const isBetter = before === undefined || way.width > before.width
      if (isBetter || (way.width === before.width && way.steps < before.steps)) found.set(id, way)
      if (way.steps < depth) go(id, way.width, way.steps)
    }
  }
  go(root, Infinity, 0)
  return [...found].sort(
    ([a, one], [b, other]) => other.width - one.width || one.steps - other.steps || (a < b ? -1 : 1),
  )
}

it('keeps those of the strongest ways, and whoever is on the way to them', () => {
  fc.assert(
    fc.property(
      fc.record({
        postings: somePostings,
        depth: fc.integer({ min: 1, max: 3 }),
        least: fc.integer({ min: 1, max: 3 }),
        most: fc.integer({ min: 1, max: 8 }),
      }),
      ({ postings, depth, least, most }) => {
        const all = ways(postings, 'a', { depth, least })
        const kept = reachedFrom(entityIndex(postings, true), { root: 'a', depth, least, most })

        expect(kept).toEqual(all.slice(0, most).map(([id]) => id))
        kept.forEach((id, i) => {
          const near = ['a', ...kept.slice(0, i)]
          expect(near.some((other) => counted(postings, other, id) >= least)).toBe(true)
        })
      },
    ),
    { numRuns: 300 },
  )
})
