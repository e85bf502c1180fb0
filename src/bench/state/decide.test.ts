import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { baseArticles } from '../../../test/builders/base-articles.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { clusteringModel } from '../../adapters/model-files.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { articlesAnalyzed } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { readEvents, writeEvents } from '../topic-events.ts'
import { changelogPath, decideWorld, sampledChoices, type DecideOptions } from './decide.ts'
import { liveStories, sameChoiceShare, storedStories } from './exhaustive.ts'
import { decisionsInTurn } from './growth.ts'
import { produceChangelog } from './restarts.ts'
import { stateWorld } from './world.ts'

const ARTICLES = 300
const model = clusteringModel()
const codec = new PlainCodec()
const world = stateWorld(baseArticles(100), ARTICLES + 50)
const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
const options: DecideOptions = {
  ...{ world, codec, articles: ARTICLES, folder: join(folder, 'whole'), saveEvery: 1 },
  stage: clustered({ ...model, budget: 10_000, texts: 1_000 }),
  onProgress: () => undefined,
}
const searching = { path: changelogPath(options.folder), codec, world, model, onProgress: () => undefined }
let run: Awaited<ReturnType<typeof decideWorld>>

beforeAll(async () => {
  run = await decideWorld(options)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

it('counts the articles, their CPU time and the bytes of the changelog', () => {
  const { articles, decisions, quarterBytes, cpuMs, recordBytes, changelogBytes } = run.progress

  expect({ articles, decisions: decisions.length }).toEqual({ articles: ARTICLES, decisions: ARTICLES })
  expect(quarterBytes).toBeGreaterThan(0)
  expect(quarterBytes).toBeLessThan(changelogBytes)
  expect(cpuMs).toBeGreaterThan(decisions.reduce((sum, ms) => sum + ms, 0))
  expect(recordBytes).toBeGreaterThan(ARTICLES * 1_000)
  expect(recordBytes).toBeLessThan(changelogBytes)
})

it('measures decisions beside all articles and beside a quarter of them in turn', async () => {
  const { state, progress } = run
  const { all, quarter } = await decisionsInTurn(options, { state, quarterBytes: progress.quarterBytes ?? 0 })

  expect(quarter).toBeGreaterThan(0)
  expect(all).toBeGreaterThan(0)
}, 120_000)

it('continues an interrupted run and writes the same changelog', async () => {
  const interrupted = { ...options, folder: join(folder, 'interrupted') }
  const stopAfter = ({ articles }: { readonly articles: number }): void => {
    if (articles >= 128) throw new Error('interrupted')
  }
  await expect(decideWorld({ ...interrupted, onProgress: stopAfter })).rejects.toThrow('interrupted')

  const reached: number[] = []
  await decideWorld({ ...interrupted, onProgress: ({ articles }) => reached.push(articles) })

  expect(reached[0]).toBe(139) // a batch ends at a quarter of the articles
  expect(readFileSync(changelogPath(interrupted.folder)).equals(readFileSync(changelogPath(options.folder)))).toBe(true)
}, 120_000)

it('reads the live stories from the changelog', async () => {
  const stories = await storedStories(changelogPath(options.folder), codec)
  const articles = [...stories.values()].reduce((sum, places) => sum + places.length, 0)
  const last = world.article(ARTICLES - 1).occurred_at

  expect(articles).toBe(ARTICLES)
  expect(liveStories(stories, last, 100)).toBe(stories.size)
  expect(liveStories(stories, last, 5)).toBeLessThan(stories.size)
})

it('sees the search of a few stories choose what an exhaustive search chooses', async () => {
  const stories = await storedStories(changelogPath(options.folder), codec)
  const choices = sampledChoices(options, run.state)

  expect(choices.filter(({ story }) => story !== null).length).toBeGreaterThan(0)
  expect(await sameChoiceShare(stories, choices, searching)).toBe(1)
})

it('sees a search that finds nothing miss the stories that articles join', async () => {
  const stories = await storedStories(changelogPath(options.folder), codec)
  const blind = { ...model, weights: { ...model.weights, candidates: { by_sketch: 0, by_keys: 0 } } }
  const stage = clustered({ ...blind, budget: 10_000, texts: 1_000 })
  const choices = sampledChoices({ ...options, stage }, run.state)

  expect(await sameChoiceShare(stories, choices, searching)).toBeLessThan(1)
})

it('restarts from the changelog and decides the next article in the same way', async () => {
  const log = new MemoryLog()
  await produceChangelog(log, changelogPath(options.folder))
  await writeEvents({ log, codec }, articlesAnalyzed, [world.article(ARTICLES)])

  const consumer = await runMemoryStage(options.stage, { ...aRunning({ log }), codec })
  await vi.waitFor(() => expect(log.records(articlesClustered.name)).not.toEqual([]), 60_000)
  await consumer.stop()

  const [expected] = sampledChoices(options, run.state)
  for await (const { decision } of readEvents({ log, codec }, articlesClustered)) {
    expect(decision.chosen?.cluster_id ?? null).toBe(expected?.story)
    break // the article itself; a change of stories may follow
  }
}, 120_000)
