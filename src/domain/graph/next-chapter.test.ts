import { DAY_MS } from '../days.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aGraphStory } from '../../../test/builders/graph.ts'
import { projectPath } from '../../config/project-path.ts'
import { pairOf, type StoryPair } from './join.ts'
import { chance, chapterScore } from './next-chapter.ts'
import { GRAPH, MEAN_LEAD } from './rules.ts'
import type { GraphStory } from './story.ts'
import { linkOfStep, stepOf } from './linkage.ts'

const RULES = {
  chapter: {
    ...{ near: 4, words: 2, silence: 1, bias: 0, least: 1 },
    mostSilenceMs: 10 * DAY_MS,
    mean: new Float64Array(0),
  },
}

const story = (id: string, [first, last]: readonly [number, number], centre = [3, 4]): GraphStory =>
  aGraphStory(id, ['ent_03', 'ent_04'], {
    ...{ first_at: first * DAY_MS, last_at: last * DAY_MS, centre: Int32Array.from(centre) },
  })

describe('how surely one story goes on with another', () => {
  const first = story('sto_1', [0, 2])

  it('is the less the longer nothing was heard, and the same from both sides', () => {
    const after = [1, 2, 3, 5].map((day) => chapterScore(first, story('sto_2', [day, day + 1]), RULES))

    expect(after).toEqual([4, 4, 4 - Math.log(2), 4 - Math.log(4)])
    expect(chapterScore(story('sto_2', [5, 6]), first, RULES)).toBe(4 - Math.log(4))
  })

  it('is the less the further apart they lie', () => {
    expect(chapterScore(first, story('sto_2', [1, 2], [4, 3]), RULES)).toBeCloseTo(4 * 0.96)
    expect(chapterScore(first, story('sto_2', [1, 2], [4, -3]), RULES)).toBeNull()
  })

  it('is seen from the middle of all news, where what all have in common says nothing', () => {
    const middle = { chapter: { ...RULES.chapter, mean: Float64Array.from([0.7, 0.7]) } }

    expect(chapterScore(first, story('sto_2', [1, 2], [4, 3]), middle)).toBeNull()
  })

  it('is nothing after too long a silence, and of a story without a centre', () => {
    expect(chapterScore(first, story('sto_2', [12, 13]), RULES)).not.toBeNull()
    expect(chapterScore(first, story('sto_2', [12.1, 13]), RULES)).toBeNull()
    expect(chapterScore(first, story('sto_2', [1, 2], [0, 0]), RULES)).toBeNull()
  })

  it('is seen from the mean that the clusterer has', () => {
    const { values } = JSON.parse(readFileSync(projectPath('models/clustering/mean-vector.json'), 'utf8')) as {
      readonly values: readonly number[]
    }

    expect(GRAPH.chapter.mean).toBe(MEAN_LEAD)
    expect(Math.max(...values.map((value, i) => Math.abs(value - (MEAN_LEAD[i] ?? NaN))))).toBeLessThan(1e-4)
  })
})

describe('a step', () => {
  const here = story('sto_3', [5, 6])
  const pair = (id: string, day: number, next: number | null): StoryPair =>
    pairOf(story(id, [day, day]), here, { confidence: 0.3, next })

  it('leads from the earlier to the later story, and is none where neither surely goes on with the other', () => {
    expect(stepOf(pair('sto_1', 1, 2))).toMatchObject({ from: { cluster_id: 'sto_1' }, score: 2 })
    expect(stepOf(pair('sto_9', 7, 2))).toMatchObject({ from: { cluster_id: 'sto_3' }, to: { cluster_id: 'sto_9' } })
    expect(stepOf(pair('sto_4', 4, null))).toBeNull()
  })

  it('is as sure as its odds say, with what both name', () => {
    const step = stepOf(pair('sto_7', 1, 1.5))

    expect(step === null ? null : linkOfStep(step)).toEqual({
      ...{ source: 'sto_7', target: 'sto_3', type: 'evolved_into', directed: true },
      confidence: chance(1.5),
      shared_entities: ['ent_03', 'ent_04'],
    })
  })
})
