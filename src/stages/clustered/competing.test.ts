import { expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/clustering-model.ts'
import { aClusterer, aCorrection, inOrder, live, madeUpReport, storiesOf } from '../../../test/builders/clustered.ts'
import { decideAgain } from './explain.ts'

const { weights } = clusteringModel()

/** Reports of one event; on days further apart than a story is joined over, they open stories of their own. */
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
  const { events } = live(aClusterer(), [apart, ...inOrder([between], 4)], opened.state)
  expect(events.map(({ action }) => action)).toEqual(['corrected', 'joined'])

  const flood = [0, 1].map((outlet) => madeUpReport({ event: 1, outlet, day: later }))
  const others = live(aClusterer(), inOrder([...early, ...flood, between]))
  expect(others.events.map(({ action }) => action)).not.toContain('merged')
})

it('comes to the same when it restarts in between', () => {
  const stage = aClusterer()
  const before = live(stage, inOrder([...early, ...late]))
  let state = stage.memory.empty()
  for (const entry of before.entries) state = stage.memory.evolve(state, entry)

  const after = live(stage, inOrder([between], 4), state)
  const whole = live(stage, inOrder([...early, ...late, between]))
  expect([...before.events, ...after.events]).toEqual(whole.events)
})
