import { DAY_MS } from '../days.ts'
import { describe, expect, it } from 'vitest'
import { aGraphStory } from '../../../test/builders/graph.ts'
import { pairOf } from './join.ts'
import { linkOfLedger, linksOf } from './links.ts'
import { GRAPH } from './rules.ts'
import type { GraphStory } from './story.ts'

const SHARED = ['ent_03', 'ent_04', 'ent_05']
const RULES = {
  ...GRAPH,
  merged: { confidence: 0.6, similarity: 0.8 },
}

const story = (id: string, [first, last]: readonly [number, number], over: Partial<GraphStory> = {}): GraphStory =>
  aGraphStory(id, SHARED, { first_at: first * DAY_MS, last_at: last * DAY_MS, centre: new Int32Array([3, 4]), ...over })

const said = (a: GraphStory, b: GraphStory, confidence = 0.7) =>
  linksOf(pairOf(a, b, { confidence, next: null }), RULES).map(({ type, source, target, directed }) => ({
    type,
    source,
    target,
    directed,
  }))

const shared = { type: 'shared_entities', source: 'sto_1', target: 'sto_2', directed: false }

describe('the links of two stories that share enough', () => {
  it('says nothing of two that share less, though one goes on with the other', () => {
    const pair = { ...pairOf(story('sto_1', [0, 2]), story('sto_2', [4, 5]), { confidence: 0.4, next: 2 }) }

    expect(linksOf(pair, RULES)).toEqual([])
  })

  it('says of two that run at the same time and are much alike that they converged', () => {
    const converged = { ...shared, type: 'merged_with' }

    expect(said(story('sto_1', [0, 2]), story('sto_2', [1, 3]))).toEqual([shared, converged])
    expect(said(story('sto_1', [0, 2]), story('sto_2', [1, 3]), 0.59)).toEqual([shared])
  })

  it('never changes what they share by the time between them', () => {
    const apart = [0, 3, 400].map(
      (day) =>
        linksOf(
          pairOf(story('sto_1', [0, 1]), story('sto_2', [day, day + 1]), { confidence: 0.55, next: null }),
          RULES,
        )[0],
    )

    expect(new Set(apart.map((link) => link?.confidence))).toEqual(new Set([0.55]))
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
