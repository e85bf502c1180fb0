import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aGraphStory, anyStories, asLines, joinedPlainly } from '../../../test/builders/graph.ts'
import { joinAll } from './join.ts'
import { GRAPH } from './rules.ts'

const ids = (...numbers: number[]): readonly string[] => numbers.map((n) => `ent_${String(n).padStart(2, '0')}`)

describe('the join of all stories', () => {
  it('finds a pair, names the smaller id first and says what both have', () => {
    const stories = [aGraphStory('sto_2', ids(3, 4, 5, 6)), aGraphStory('sto_1', ids(3, 4, 5, 7))]

    const pairs = joinAll(stories, GRAPH)

    expect(pairs).toMatchObject([
      { one: stories[1], other: stories[0], confidence: 6 / 10, shared_entities: ids(3, 4, 5) },
    ])
  })

  it('weighs a person more than a place', () => {
    // Both share three of five; the first pair two persons and a place, the second two places and a person.
    const persons = [aGraphStory('sto_1', ids(3, 4, 0, 5)), aGraphStory('sto_2', ids(3, 4, 0, 6))]
    const places = [aGraphStory('sto_3', ids(10, 11, 7, 8)), aGraphStory('sto_4', ids(10, 11, 7, 9))]

    const pairs = joinAll([...persons, ...places], GRAPH)

    expect(pairs.map(({ one, confidence }) => [one.cluster_id, confidence])).toEqual([
      ['sto_3', 4 / 8],
      ['sto_1', 5 / 9],
    ])
  })

  it('wants enough of them, however alike two small stories are', () => {
    const stories = [aGraphStory('sto_1', ids(3, 4)), aGraphStory('sto_2', ids(3, 4)), aGraphStory('sto_3', [])]

    const least = (entities: number) =>
      joinAll(stories, { ...GRAPH, candidate: { ...GRAPH.candidate, least: entities } }).length

    expect([least(2), least(3)]).toEqual([1, 0])
    expect(() => least(1)).toThrow('two shared entities')
  })

  it('finds exactly what comparing each with each finds, at any threshold', () => {
    const worlds = fc.tuple(
      anyStories(60),
      fc.constantFrom(0.2, 1 / 3, 0.5, 0.6, 0.8, 1),
      fc.integer({ min: 2, max: 4 }),
    )

    fc.assert(
      fc.property(worlds, ([stories, confidence, least]) => {
        const rules = { ...GRAPH, candidate: { confidence, least }, shared: { confidence, least } }
        expect(asLines(joinAll(stories, rules))).toEqual(asLines(joinedPlainly(stories, rules)))
      }),
      { numRuns: 500 },
    )
  })
})
