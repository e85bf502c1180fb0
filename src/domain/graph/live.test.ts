import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aGraphStory, anyStories, anyStory, asLines, joinedPlainly } from '../../../test/builders/graph.ts'
import { liveIndex } from './live.ts'
import { GRAPH } from './rules.ts'

const SHARED = ['ent_03', 'ent_04', 'ent_05']

describe('the index of stories that are there now', () => {
  it('finds who is near a story, as it is now', () => {
    const index = liveIndex(GRAPH)
    index.put(aGraphStory('sto_1', SHARED))
    index.put(aGraphStory('sto_2', SHARED))
    const before = index.neighbours('sto_1')

    index.put(aGraphStory('sto_2', [...SHARED, 'ent_06', 'ent_07', 'ent_08']))
    const changed = index.neighbours('sto_1')
    index.put(aGraphStory('sto_2', ['ent_06', 'ent_07', 'ent_08']))
    const after = index.neighbours('sto_1')

    expect([before, changed, after].map((pairs) => pairs.map(({ confidence }) => confidence))).toEqual([[1], [0.5], []])
  })

  it('knows nobody that went or never came', () => {
    const index = liveIndex(GRAPH)
    index.put(aGraphStory('sto_1', SHARED))
    index.put(aGraphStory('sto_2', SHARED))

    index.drop('sto_2')
    index.drop('sto_3')

    expect(index.neighbours('sto_1')).toEqual([])
    expect(index.neighbours('sto_2')).toEqual([])
    expect(index.stories().map(({ cluster_id }) => cluster_id)).toEqual(['sto_1'])
  })

  it('finds what comparing each with each finds, after whatever came and went', () => {
    const steps = fc.array(fc.tuple(anyStory(fc.nat({ max: 20 })), fc.boolean()), { maxLength: 30 })
    const thresholds = fc.tuple(fc.constantFrom(0.2, 1 / 3, 0.5, 0.8, 1), fc.integer({ min: 1, max: 4 }))

    fc.assert(
      fc.property(anyStories(20), steps, thresholds, (first, then, [confidence, least]) => {
        const rules = { ...GRAPH, candidate: { confidence, least }, shared: { confidence, least } }
        const index = liveIndex(rules)
        for (const story of first) index.put(story)
        for (const [story, comes] of then)
          if (comes) index.put(story)
          else index.drop(story.cluster_id)

        const found = index.stories().flatMap(({ cluster_id }) =>
          // Each pair is found from both ends.
          index.neighbours(cluster_id).filter(({ one }) => one.cluster_id === cluster_id),
        )
        const fromTheOther = index
          .stories()
          .flatMap(({ cluster_id }) =>
            index.neighbours(cluster_id).filter(({ other }) => other.cluster_id === cluster_id),
          )
        expect(asLines(found)).toEqual(asLines(joinedPlainly(index.stories(), rules)))
        expect(asLines(fromTheOther)).toEqual(asLines(found))
      }),
      { numRuns: 500 },
    )
  })
})
