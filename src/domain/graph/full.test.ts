import { describe, expect, it } from 'vitest'
import { aGraphStory } from '../../../test/builders/graph.ts'
import { threadId } from '../../events/ids.ts'
import { fullGraph } from './full.ts'
import { GRAPH } from './rules.ts'
import type { GraphStory } from './story.ts'

const SHARED = ['ent_03', 'ent_04', 'ent_05']
const alike = (...ids: string[]): readonly GraphStory[] => ids.map((id) => aGraphStory(id, SHARED))
const threads = (stories: readonly GraphStory[]) =>
  fullGraph({ namespace: 'shared', stories, ledger: [] }, GRAPH).threads

describe('the whole graph', () => {
  it('holds links in the order of source, target and type', () => {
    const ledger = [{ source: 'sto_1', target: 'sto_0', type: 'merged_with' as const }]

    const { links } = fullGraph(
      { namespace: 'shared', stories: alike('sto_3', 'sto_1', 'sto_2'), ledger },
      {
        ...GRAPH,
        merged: { confidence: 0.5, similarity: 0.5 },
      },
    )

    expect(links.map(({ source, target, type }) => `${source} ${target} ${type}`)).toEqual([
      'sto_1 sto_0 merged_with',
      'sto_1 sto_2 evolved_into',
      'sto_1 sto_2 merged_with',
      'sto_1 sto_2 shared_entities',
      'sto_1 sto_3 evolved_into',
      'sto_1 sto_3 merged_with',
      'sto_1 sto_3 shared_entities',
      'sto_2 sto_3 merged_with',
      'sto_2 sto_3 shared_entities',
    ])
  })

  it('puts three that hang together into one thread, two into none', () => {
    const others = ['sto_7', 'sto_8'].map((id) => aGraphStory(id, ['ent_13', 'ent_14', 'ent_15']))

    expect([...threads([...alike('sto_1', 'sto_2', 'sto_3'), ...others]).keys()]).toEqual(['sto_1', 'sto_2', 'sto_3'])
  })

  it('names a thread after the first of its stories, so that it keeps its id when it grows', () => {
    const small = threads(alike('sto_5', 'sto_4', 'sto_6'))
    const grown = threads(alike('sto_9', 'sto_5', 'sto_4', 'sto_6', 'sto_8'))

    expect(small.get('sto_6')).toBe(threadId('shared', 'sto_4'))
    expect(new Set([...small.values(), ...grown.values()]).size).toBe(1)
  })

  it('names it after a story that went into one of them, so that it keeps its id when that happens', () => {
    const rest = alike('sto_6', 'sto_7')
    const heir = aGraphStory('sto_5', SHARED, { founded: { order: 4, cluster_id: 'sto_4' } })

    expect(new Set(threads([heir, ...rest]).values())).toEqual(
      new Set(threads(alike('sto_4', 'sto_6', 'sto_7')).values()),
    )
  })

  it('holds a thread together by the one earlier story that each most surely goes on with, not by names shared', () => {
    const elsewhere = aGraphStory('sto_3', SHARED, { centre: new Int32Array([-1, 0]) })

    const { links, threads: held } = fullGraph(
      { namespace: 'shared', stories: [...alike('sto_1', 'sto_2'), elsewhere], ledger: [] },
      GRAPH,
    )

    expect(links.filter(({ type }) => type === 'shared_entities')).toHaveLength(3)
    expect(links.filter(({ type }) => type === 'evolved_into')).toHaveLength(1)
    expect(held.size).toBe(0)
  })

  it('keeps two matters apart that one later story speaks of both', () => {
    const matter = (ids: readonly string[], centre: readonly number[]) =>
      ids.map((id, i) => aGraphStory(id, SHARED, { first_at: i, last_at: i, centre: Int32Array.from(centre) }))
    const both = aGraphStory('sto_9', SHARED, { first_at: 9, last_at: 9, centre: new Int32Array([11, 10]) })
    const [one, other] = [matter(['sto_1', 'sto_2', 'sto_3'], [1, 0]), matter(['sto_4', 'sto_5', 'sto_6'], [0, 1])]
    const rules = { ...GRAPH, chapter: { ...GRAPH.chapter, least: 0.2, mean: new Float64Array(0) } }

    const held = fullGraph({ namespace: 'shared', stories: [...one, ...other, both], ledger: [] }, rules).threads

    expect(new Set(held.values()).size).toBe(2)
    expect(held.get('sto_9')).toBe(held.get('sto_1'))
  })
})
