import { expect, it } from 'vitest'
import { clusteringModel } from '../../adapters/model-files.ts'
import { aClusterer, inOrder, live, madeUpReport } from '../../../test/builders/clustered.ts'
import { expectedScore } from './expected-score.ts'
import { features, type Features } from './features.ts'
import { noStories } from './memory.ts'

const model = clusteringModel()
const { state } = live(aClusterer(), inOrder([madeUpReport({ event: 0, outlet: 0, day: 0 })]))
const { index, clusters } = state.namespaces.get('shared') ?? noStories()
const article = (day: number): Features => {
  const own = features(madeUpReport({ event: 0, outlet: 1, day }), model)
  if (own === null) throw new Error('made-up news has vectors')
  return own
}
const expected = (distance: number, shared: number, own: Features): number => {
  const [cluster] = clusters.values()
  if (cluster === undefined) throw new Error('one story')
  return expectedScore({ slot: cluster.slot, distance, shared }, own, index)
}

it('is higher the more alike the sketches are, the more keys are shared and the nearer the articles are in time', () => {
  expect(expected(90, 0.5, article(0))).toBeGreaterThan(expected(120, 0.5, article(0)))
  expect(expected(90, 0.5, article(0))).toBeGreaterThan(expected(90, 0.3, article(0)))
  expect(expected(90, 0.5, article(0))).toBeGreaterThan(expected(90, 0.5, article(2)))
})

it('does not depend on time without a date', () => {
  const undated = { ...article(2), dated: false }

  expect(expected(90, 0.5, undated)).toBe(expected(90, 0.5, { ...undated, time: 0 }))
})

it('is unknown, so that the article is compared, where a text has no body', () => {
  expect(expected(190, 0, { ...article(0), hasBody: false })).toBe(Infinity)
})
