import { describe, expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/model-files.ts'
import { aClusterer, aCorrection, inOrder, live, madeUpReport, storiesOf } from '../../../test/builders/clustered.ts'
import { decideAgain } from './rank.ts'

const { weights } = clusteringModel()

/** Reports of one event. Reports on days too far apart to join a story open stories of their own. */
const strike = (outlet: number, day: number) => madeUpReport({ event: 0, outlet, day })
const later = weights.join.window_days + 1
const early = [strike(0, 0)]
const late = [1, 2, 4].map((outlet) => strike(outlet, later))
const between = strike(3, later / 2)

it('merges two stories at once that compete for an article and are one, under the id of the larger', () => {
  const { events, state } = live(aClusterer(), inOrder([...early, ...late, between]))

  expect(events.map(({ action }) => action)).toEqual(['opened', 'opened', 'joined', 'joined', 'joined', 'merged'])
  const merged = events[5]
  expect(merged?.cluster_id).toBe(events[1]?.cluster_id)
  expect(merged?.change?.from_cluster_id).toBe(events[0]?.cluster_id)
  expect(new Set(storiesOf(events).values())).toEqual(new Set([merged?.cluster_id]))
  const remembered = [...(state.namespaces.get('shared')?.members.values() ?? [])]
  expect(new Set(remembered.map(({ clusterId }) => clusterId))).toEqual(new Set([merged?.cluster_id]))
})

it('says why, so that the merge follows from what was recorded', () => {
  const { events } = live(aClusterer(), inOrder([...early, ...late, between]))
  const merged = events.find(({ action }) => action === 'merged')

  expect(merged?.decision).toMatchObject({ rule: 'linkage', threshold: weights.join.merge_threshold })
  expect(merged?.decision.chosen?.score).toBeGreaterThan(weights.join.merge_threshold)
  expect(merged && decideAgain(merged, weights)).toBe(merged?.cluster_id)
})

it('leaves stories apart that a curator keeps apart, and those that only resemble each other', () => {
  const opened = live(aClusterer(), inOrder([...early, ...late]))
  const [one, other] = new Set(storiesOf(opened.events).values())
  const apart = aCorrection({ action: 'keep_apart', cluster_id: one ?? '', other_cluster_id: other ?? '' })
  const { events } = live(aClusterer(), [apart, ...inOrder([between], 4)], opened)
  expect(events.map(({ action }) => action)).toEqual(['corrected', 'joined'])

  const flood = [0, 1].map((outlet) => madeUpReport({ event: 1, outlet, day: later }))
  const others = live(aClusterer(), inOrder([...early, ...flood, between]))
  expect(others.events.map(({ action }) => action)).not.toContain('merged')
})

describe('an article that was put into the wrong story', () => {
  const trial = [0, 1, 2].map((outlet) => madeUpReport({ event: 2, outlet, day: 0 }))
  const misplaced = strike(1, 0)
  /** Reports of the strike in other words. */
  const [second, third] = [1, 2].map((outlet) => madeUpReport({ event: 4, outlet, day: 0 })) as [Report, Report]
  type Report = ReturnType<typeof strike>

  /** The stories after these reports, with the first report of the strike in the story of the trial. */
  const misled = (...reports: readonly Report[]) => {
    const { entries, events } = live(aClusterer(), inOrder([...trial, misplaced, ...reports]))
    const wrong = storiesOf(events).get(trial[0]?.article_id ?? '') ?? ''
    const stage = aClusterer()
    let state = stage.memory.empty()
    for (const { key, value } of entries) {
      const isMisplaced = value?.article_id === misplaced.article_id
      state = stage.memory.evolve(state, { key, value: isMisplaced ? { ...value, cluster_id: wrong } : value })
    }
    return { stage, state, wrong }
  }

  it('splits off at once with the next report of its event, which opens a story', () => {
    const { stage, state, wrong } = misled()
    const { events } = live(stage, inOrder([second], trial.length + 1), { state })

    expect(events.map(({ action }) => action)).toEqual(['opened', 'split'])
    expect(events[1]?.cluster_id).toBe(events[0]?.cluster_id)
    expect(events[1]?.change).toMatchObject({ from_cluster_id: wrong, article_ids: [misplaced.article_id] })
    expect(events[1] && decideAgain(events[1], weights)).toBeNull() // a story of its own
  })

  it('moves at once to the story of its event when the next report joins that', () => {
    const { stage, state, wrong } = misled(second)
    const { events, state: after } = live(stage, inOrder([third], trial.length + 2), { state })

    expect(events.map(({ action }) => action)).toEqual(['joined', 'moved'])
    expect(events[1]?.change).toMatchObject({ from_cluster_id: wrong, article_ids: [misplaced.article_id] })
    expect(events[1] && decideAgain(events[1], weights)).toBe(events[0]?.cluster_id)
    const remembered = after.namespaces.get('shared')?.members.get(misplaced.article_id)
    expect(remembered?.clusterId).toBe(events[0]?.cluster_id)
  })

  it('stays where a curator put it', () => {
    const { events, state } = live(aClusterer(), inOrder([...trial, misplaced]))
    const [from, to] = [misplaced, trial[0]].map((report) => storiesOf(events).get(report?.article_id ?? '') ?? '')
    const move = {
      action: 'move',
      cluster_id: from ?? '',
      other_cluster_id: to ?? '',
      article_ids: [misplaced.article_id],
    } as const
    const moved = live(aClusterer(), [aCorrection(move)], { state })
    expect(moved.events.map(({ action }) => action)).toEqual(['corrected'])

    const after = live(aClusterer(), inOrder([second], trial.length + 1), moved)
    expect(after.events.map(({ action }) => action)).toEqual(['opened'])
  })
})

it('comes to the same when it restarts in between', () => {
  const stage = aClusterer()
  const before = live(stage, inOrder([...early, ...late]))
  let state = stage.memory.empty()
  for (const entry of before.entries) state = stage.memory.evolve(state, entry)

  const after = live(stage, inOrder([between], 4), { state })
  const whole = live(stage, inOrder([...early, ...late, between]))
  expect([...before.events, ...after.events]).toEqual(whole.events)
})
