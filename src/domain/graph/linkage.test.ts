import { DAY_MS } from '../days.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aGraphStory } from '../../../test/builders/graph.ts'
import { averageLinkage, type ChapterStep } from './linkage.ts'
import { GRAPH } from './rules.ts'
import type { GraphStory } from './story.ts'

const RULES = {
  chapter: { ...GRAPH.chapter, ...{ near: 4, words: 0, silence: 0, bias: -2 }, mean: new Float64Array(0) },
  linkage: { least: 0.5, floor: -2, mostApartMs: 100 * DAY_MS, mostStories: 9 },
}

/** A story of some day whose centre points so many degrees away from the first axis. */
const story = (id: string, day: number, degrees: number): GraphStory =>
  aGraphStory(id, [], {
    ...{ first_at: day * DAY_MS, last_at: day * DAY_MS },
    centre: Int32Array.from([Math.cos, Math.sin].map((of) => Math.round(1_000 * of((degrees * Math.PI) / 180)))),
  })

/** Each goes on with the one before it. */
const chain = (stories: readonly GraphStory[]): readonly ChapterStep[] =>
  stories.slice(1).flatMap((to, i) => {
    const from = stories[i]
    return from === undefined ? [] : [{ from, to, score: i + 1 }]
  })

const ends = (steps: readonly ChapterStep[]) =>
  steps.map(({ from, to }) => `${from.cluster_id} ${to.cluster_id}`).sort()

describe('what holds a thread together', () => {
  it('joins stories of which all pairs are near on average, by the pair that is nearest', () => {
    const stories = [story('sto_1', 1, 0), story('sto_2', 2, 10), story('sto_3', 3, 12)]

    const bonds = averageLinkage(RULES)(stories, chain(stories))

    expect(ends(bonds)).toEqual(['sto_1 sto_2', 'sto_2 sto_3'])
    expect(bonds.every(({ score }) => score + RULES.linkage.least > 1.8)).toBe(true)
  })

  it('does not follow a chain from one affair to another', () => {
    const stories = [0, 5, 55, 95, 100].map((degrees, i) => story(`sto_${i}`, i, degrees))

    const bonds = averageLinkage(RULES)(stories, chain(stories))

    expect(ends(bonds)).toEqual(['sto_0 sto_1', 'sto_2 sto_3', 'sto_3 sto_4'])
  })

  it('counts no pair with a longer silence than it may have', () => {
    const stories = [story('sto_1', 0, 0), story('sto_2', 60, 0), story('sto_3', 120, 0), story('sto_4', 300, 0)]

    expect(ends(averageLinkage(RULES)(stories, chain(stories)))).toEqual(['sto_1 sto_2', 'sto_2 sto_3'])
  })

  it('compares no more stories with each other than it may: the weakest steps are cut', () => {
    const stories = Array.from({ length: 12 }, (_, i) => story(`sto_${10 + i}`, i, 0))

    const bonds = averageLinkage(RULES)(stories, chain(stories))

    expect(bonds).toHaveLength(10)
    expect(ends(bonds).filter((pair) => pair.startsWith('sto_12'))).toEqual([])
  })

  it('is the same in whatever order stories and steps are given', () => {
    const stories = [0, 20, 40, 41, 60, 61, 90].map((degrees, i) => story(`sto_${i}`, i % 4, degrees))
    const steps = chain(stories)
    const expected = averageLinkage(RULES)(stories, steps)

    fc.assert(
      fc.property(
        fc.shuffledSubarray(stories, { minLength: stories.length }),
        fc.shuffledSubarray([...steps], { minLength: steps.length }),
        (some, others) => {
          expect(averageLinkage(RULES)(some, others)).toEqual(expected)
        },
      ),
      { numRuns: 50 },
    )
  })
})
