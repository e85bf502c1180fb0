import { expect, it } from 'vitest'
import { madeUpReport } from '../../../test/builders/clustered.ts'
import { clusteringModel } from '../../adapters/model-files.ts'
import { leadCosine, SECTIONS } from '../../stages/clustered/packed-features.ts'
import { termsCosine } from '../../stages/clustered/terms-cosine.ts'
import { benchLive, type ClusterBenchInput, benchRebuild } from './clusters.ts'
import { changer, type StoredArticle } from './copies.ts'
import { storedArticles } from './world.ts'

const model = clusteringModel()
const articles = Array.from({ length: 150 }, (_, i) =>
  madeUpReport({ event: Math.floor(i / 3) % 40, outlet: i, day: i / 30 }),
)
const given: ClusterBenchInput = { articles, model, texts: 1_000, onProgress: () => undefined }

const alike = (a: StoredArticle | undefined, b: StoredArticle | undefined) => {
  if (a === undefined || b === undefined) throw new Error('made-up news has vectors')
  return {
    lead: leadCosine(a.features, b.features),
    terms: termsCosine(a.features, b.features, SECTIONS.body),
  }
}

it('keeps articles of one world as alike as they were, and makes them unlike those of another', () => {
  const [one, two] = storedArticles(articles, model)
  const abroad = changer({ seed: 'abroad', replacedShare: 0.6, angle: 1.3 }, new Float32Array(384))
  const [oneThere, twoThere] = [one, two].map((article) => article && abroad(article, 0))

  expect(alike(oneThere, twoThere).lead).toBeCloseTo(alike(one, two).lead, 2)
  expect(alike(oneThere, twoThere).terms).toBeCloseTo(alike(one, two).terms, 2)
  expect(alike(one, oneThere).lead).toBeCloseTo(Math.cos(1.3), 2)
  expect(alike(one, oneThere).terms).toBeLessThan(0.7)
})

it('finds with its search what comparing with every story finds, where there are few', () => {
  const figure = benchLive(given, { clusters: 60, newcomers: 20 })

  expect(figure).toMatchObject({ newcomers: 20, identical_share: 1 })
  expect(figure.live_clusters).toBeGreaterThan(60)
  expect(figure.joined).toBeGreaterThan(0)
})

it('sees the search miss what it is not allowed to look at', () => {
  const blind = { ...model, weights: { ...model.weights, candidates: { by_sketch: 0, by_keys: 0 } } }

  expect(benchLive({ ...given, model: blind }, { clusters: 60, newcomers: 20 })).toMatchObject({
    identical_share_of_joined: 0,
  })
})

it('rebuilds the last day of a window of so many articles', () => {
  expect(benchRebuild(given, 40)).toMatchObject({ articles_in_window: 40 })
})
