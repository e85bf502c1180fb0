import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Encoder } from '../ports/encoder.ts'
import { asEncoder } from '../../test/builders/encoder.ts'
import { clusteringModel } from '../adapters/model-files.ts'
import { changed } from '../stages/changed/stage.ts'
import { clustered } from '../stages/clustered/stage.ts'
import { aClusterer, aWordVector, madeUpReport } from '../../test/builders/clustered.ts'
import { labelledArticles } from './labelled-articles.ts'
import { scoreStories } from './stories.ts'

/** An encoder with word vectors in place of a model, as for the articles of the builders. */
const wordEncoder: Encoder = asEncoder({
  model: 'words',
  dim: 384,
  sentences: async (texts) => texts.map(aWordVector),
  leads: async (articles) => articles.map(({ title, body }) => aWordVector(`${title} ${body}`)),
  close: () => Promise.resolve(),
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stories-'))
})
afterAll(() => rm(folder, { recursive: true }))

const lines = [0, 1, 2, 3, 4, 5].map((i) => {
  const { title, text, url } = madeUpReport({ event: i % 2, outlet: i, day: 0 })
  return { id: `a${i}`, title, text, url, published_date: '2016-05-03', story: i < 4 ? `story-${i % 2}` : null }
})
const given = {
  stage: aClusterer(),
  feed: changed({ budget: 100 }),
  encoder: wordEncoder,
  arrival: Date.UTC(2026, 0, 1),
  namespace: 'shared',
}

it('streams every article and scores the labelled ones', async () => {
  const file = join(folder, 'news.jsonl.gz')
  await writeFile(file, gzipSync(lines.map((line) => JSON.stringify(line)).join('\n')))

  const score = await scoreStories(file, given)

  expect(score).toMatchObject({ articles: 6, labelled: 4, clusters: 2, b_cubed: { f1: 1 }, pairwise: { f1: 1 } })
  expect(score.predictions.map(({ id }) => id)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5'])
  expect(score.predictions[4]?.cluster_id).toBe(score.predictions[0]?.cluster_id)
})

it('reads headlines alone and undated texts, and puts dated articles in order', async () => {
  const file = join(folder, 'mixed.jsonl')
  const mixed = [
    { id: 'late', title: 'Flood in Orle', published_date: '2016-05-04', story: 'x' },
    { id: 'early', text: 'A flood came to Orle.', published_date: '2016-05-03T10:00:00Z' },
    { id: 'undated', text: 'No date.' },
  ]
  await writeFile(file, `${mixed.map((line) => JSON.stringify(line)).join('\n')}\n`)

  const articles = await labelledArticles(file)

  expect(articles.map(({ id }) => id)).toEqual(['undated', 'early', 'late'])
  expect(articles[2]).toMatchObject({ title: 'Flood in Orle', text: 'Flood in Orle', story: 'x' })
})

it('gives a text that comes twice the story of the first', async () => {
  const file = join(folder, 'twice.jsonl')
  await writeFile(file, [lines[0], lines[0]].map((line) => JSON.stringify(line)).join('\n'))

  const { predictions } = await scoreStories(file, given)

  expect(predictions[1]?.cluster_id).toBe(predictions[0]?.cluster_id)
})

it('tells where articles were put at first from where they are in the end', async () => {
  const file = join(folder, 'rebuilt.jsonl')
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const model = clusteringModel()
  const nobodyJoins = { ...model.weights, join: { ...model.weights.join, threshold: 1_000 } }
  const stage = clustered({ ...model, weights: nobodyJoins, budget: 100, texts: 100 })

  const score = await scoreStories(file, { ...given, stage })

  expect(score).toMatchObject({ clusters: 2, b_cubed: { f1: 1 }, over_merge: { value: 0, n: 2 } })
  expect(score.online_b_cubed).toMatchObject({ precision: 1, recall: 0.5 })
  expect(score.id_churn).toEqual({ value: 4 / 6, n: 6 })
  // six stories opened, four of which were merged; two settled
  expect(score.contradictions).toMatchObject({ all: { value: 4 / 12, n: 12 }, settled: { value: 0, n: 2 } })
  expect(score.calibration).toMatchObject({ placed: { n: 6 }, settled: { n: 0 } })
})
