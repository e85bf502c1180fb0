import { describe, expect, it } from 'vitest'
import { aGraphStory } from '../../test/builders/graph.ts'
import { pairOf } from './join.ts'
import { centresMatter, linkOfLedger, linksOf } from './links.ts'
import { GRAPH } from './rules.ts'
import type { GraphStory } from './story.ts'

const DAY_MS = 24 * 3_600_000
const SHARED = ['ent_03', 'ent_04', 'ent_05']
const RULES = {
  ...GRAPH,
  evolved: { leastGapMs: DAY_MS, mostGapMs: 5 * DAY_MS, similarity: 0.8 },
  merged: { confidence: 0.6, similarity: 0.8 },
}

const story = (id: string, [first, last]: readonly [number, number], over: Partial<GraphStory> = {}): GraphStory =>
  aGraphStory(id, SHARED, { first_at: first * DAY_MS, last_at: last * DAY_MS, centre: new Int32Array([3, 4]), ...over })

const said = (a: GraphStory, b: GraphStory, confidence = 0.7) =>
  linksOf(pairOf(a, b, confidence), RULES).map(({ type, source, target, directed }) => ({
    type,
    source,
    target,
    directed,
  }))

const shared = { type: 'shared_entities', source: 'sto_1', target: 'sto_2', directed: false }

describe('the links of two stories that share enough', () => {
  it('says from the earlier chapter to the later, whatever their ids', () => {
    const [later, earlier] = [story('sto_1', [4, 5]), story('sto_2', [0, 2])]

    const links = linksOf(pairOf(later, earlier, 0.7), RULES)

    expect(
      links.map(({ type, source, target, directed, confidence }) => [type, source, target, directed, confidence]),
    ).toEqual([
      ['shared_entities', 'sto_1', 'sto_2', false, 0.7],
      // half of it what they share, half how near they are
      ['evolved_into', 'sto_2', 'sto_1', true, 0.85],
    ])
    expect(links[1]?.shared_entities).toEqual(SHARED)
  })

  it.each([
    ['too soon', [2.5, 5]],
    ['too late', [7.5, 8]],
  ] as const)('sees no next chapter in what comes %s', (_, when) => {
    expect(said(story('sto_1', [0, 2]), story('sto_2', when))).toEqual([shared])
  })

  it('sees no next chapter in what is about something else', () => {
    const elsewhere = { centre: new Int32Array([4, -3]) }

    expect(said(story('sto_1', [0, 2]), story('sto_2', [4, 5], elsewhere))).toEqual([shared])
  })

  it('says of two that run at the same time and are much alike that they converged', () => {
    const converged = { ...shared, type: 'merged_with' }

    expect(said(story('sto_1', [0, 2]), story('sto_2', [1, 3]))).toEqual([shared, converged])
    expect(said(story('sto_1', [0, 2]), story('sto_2', [1, 3]), 0.59)).toEqual([shared])
  })

  it('never changes what they share by the time between them', () => {
    const apart = [0, 3, 400].map(
      (day) => linksOf(pairOf(story('sto_1', [0, 1]), story('sto_2', [day, day + 1]), 0.55), RULES)[0],
    )

    expect(new Set(apart.map(({ confidence }) => confidence))).toEqual(new Set([0.55]))
  })

  it('knows whose centres decide anything', () => {
    const decides = (when: readonly [number, number]) =>
      centresMatter(pairOf(story('sto_1', [0, 2]), story('sto_2', when), 0.7), RULES)

    expect([decides([1, 3]), decides([2.5, 3]), decides([4, 5])]).toEqual([true, false, true])
  })

  it('is sure of what the ledger says', () => {
    const link = { source: 'sto_9', target: 'sto_1' }

    const links = (['merged_with', 'split_from'] as const).map((type) => linkOfLedger({ ...link, type }))

    expect(links).toEqual([
      { ...link, type: 'merged_with', directed: false, confidence: 1, shared_entities: [] },
      { ...link, type: 'split_from', directed: true, confidence: 1, shared_entities: [] },
    ])
  })
})
