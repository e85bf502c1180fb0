import { describe, expect, it } from 'vitest'
import { pasts, type StoryPast } from './past.ts'

const past = (cluster_id: string, order: number, over: Partial<StoryPast> = {}): StoryPast => ({
  ...{ cluster_id, order, living: true, split_from: null, merged_into: null },
  ...over,
})
const gone = (cluster_id: string, order: number, merged_into: string | null): StoryPast =>
  past(cluster_id, order, { living: false, merged_into })

describe('the ways of stories', () => {
  it('name a story after the earliest that went into it, however long the way', () => {
    const known = pasts([gone('sto_1', 1, 'sto_5'), gone('sto_5', 5, 'sto_7'), past('sto_7', 7), past('sto_3', 3)])

    expect(known.foundingOf('sto_7')).toEqual({ order: 1, cluster_id: 'sto_1' })
    expect(known.foundingOf('sto_3')).toEqual({ order: 3, cluster_id: 'sto_3' })
    expect(known.foundingOf('sto_9')).toBeUndefined()
    expect(['sto_1', 'sto_7', 'sto_9'].map(known.survivorOf)).toEqual(['sto_7', 'sto_7', 'sto_9'])
    expect(known.linksFrom('sto_1')).toEqual([{ source: 'sto_1', target: 'sto_5', type: 'merged_with' }])
  })

  it('forget a merge when the story has articles again', () => {
    const known = pasts([gone('sto_1', 1, 'sto_2'), past('sto_2', 2)])

    known.set(past('sto_1', 1, { merged_into: 'sto_2' }))

    expect(known.foundingOf('sto_2')).toEqual({ order: 2, cluster_id: 'sto_2' })
    expect(known.survivorOf('sto_1')).toBe('sto_1')
    expect([known.linksFrom('sto_1'), known.mergedInto('sto_2')]).toEqual([[], []])
  })

  it('link a story to the one it left while both have articles', () => {
    const known = pasts([past('sto_1', 1), past('sto_2', 2, { split_from: 'sto_1' })])
    const split = [{ source: 'sto_2', target: 'sto_1', type: 'split_from' }]
    expect([known.linksFrom('sto_2'), known.splitOff('sto_1')]).toEqual([split, ['sto_2']])

    known.set(gone('sto_1', 1, null))
    const without = known.linksFrom('sto_2')
    known.set(past('sto_1', 1))

    expect([without, known.linksFrom('sto_2')]).toEqual([[], split])
  })

  it('know nothing of a story that left', () => {
    const known = pasts([gone('sto_1', 1, 'sto_2'), past('sto_2', 2, { split_from: 'sto_3' }), past('sto_3', 3)])

    known.delete('sto_1')
    known.delete('sto_2')

    expect(known.foundingOf('sto_2')).toBeUndefined()
    expect([known.mergedInto('sto_2'), known.splitOff('sto_3'), known.linksFrom('sto_1')]).toEqual([[], [], []])
  })
})
