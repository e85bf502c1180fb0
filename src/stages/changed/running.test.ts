import { expect, it } from 'vitest'
import { at, moving, placed, reception, scored, transition, type ChangedIn } from '../../../test/builders/changed.ts'
import { append, codec, eventsIn, untilRead } from '../../../test/builders/plain-log.ts'
import { aRunning, type TestRunning } from '../../../test/builders/running.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesScored, type ArticleScored } from '../../events/articles.ts'
import { changesPublished } from '../../events/changes.ts'
import { storiesEnriched, type StoryEnriched } from '../../events/discourse.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { storiesTransitioned } from '../../events/lifecycle.ts'
import type { Topic } from '../../events/topic.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { changedMemory } from './changelog.ts'
import { changed } from './stage.ts'

const stage = changed({ budget: 100 })

/** Each record is logged one minute after the previous one, starting four hours after noon. */
function running(partitions = 1): TestRunning {
  let minutes = 0
  const memoryLog = new MemoryLog({ now: () => at(4 + minutes++ / 60), partitions: () => partitions })
  return { ...aRunning({ memoryLog }), codec }
}

const send = <Event extends ChangedIn>({ log }: TestRunning, topic: Topic<Event>, events: readonly Event[]) =>
  append(log, topic, events)
const story = (of: TestRunning, ...events: readonly ArticleClustered[]) => send(of, articlesClustered, events)
const articles = (of: TestRunning, ...events: readonly ArticleScored[]) => send(of, articlesScored, events)
const emitted = ({ memoryLog }: TestRunning) => eventsIn(memoryLog, changesPublished)
const lines = async (of: TestRunning) => (await emitted(of)).map(({ type, subject_id }) => `${type} ${subject_id}`)

async function untilAllIsEmitted(of: TestRunning): Promise<void> {
  const consumer = await runMemoryStage(stage, of)
  await untilRead(of.log, 'changed', stage.reads)
  await consumer.stop()
}

it('tells in the order in which the log took what it reads, and knows after a restart what it has told', async () => {
  const given = running()
  await articles(given, scored('1'))
  await story(given, placed('a', '1', { action: 'opened', names: 'ada' }))
  await articles(given, scored('2'))
  await send(given, storiesEnriched, [reception('a', 3)])
  await story(given, placed('a', '2', { names: 'ada bo' }))
  await untilAllIsEmitted(given)
  const before = [
    ...['article.scored art_1', 'cluster.opened sto_a', 'article.scored art_2', 'story.enriched sto_a'],
    'cluster.grown sto_a',
  ]
  expect(await lines(given)).toEqual(before)

  await articles(given, scored('1'), scored('1', 'second'))
  await send(given, storiesEnriched, [reception('a', 2)])
  await story(given, moving('moved', ['a', 'b'], ['2']))
  await untilAllIsEmitted(given)

  expect(await lines(given)).toEqual([...before, 'article.revised art_1', 'cluster.moved sto_b'])
  expect((await emitted(given)).at(-1)?.entity_ids).toEqual(['ent_ada', 'ent_bo'])
  expect(given.crashes).toEqual([])
})

it('has one feed a namespace, wherever its articles are scored', async () => {
  const given = running(4)
  const namespaces = ['shared', 'private', 'other']
  const ids = Array.from({ length: 20 }, (_, i) => `${i}`)
  for (const namespace of namespaces) {
    await articles(given, ...ids.map((id) => scored(id, namespace, { namespace })))
    await story(given, ...ids.map((id) => placed('a', id, { namespace })))
  }
  // keyed by story and platform, but in the partition of its namespace
  const [home] = given.memoryLog.records(articlesClustered.name).filter(({ key }) => key === 'shared')
  const value = await codec.encode<StoryEnriched>(storiesEnriched, reception('a', 3))
  await given.log.produce([
    { topic: storiesEnriched.name, key: 'sto_a:reddit', value, partition: home?.partition ?? 0 },
  ])
  await untilAllIsEmitted(given)

  const published = given.memoryLog.records(changesPublished.name)
  expect(new Set(given.memoryLog.records(articlesScored.name).map(({ partition }) => partition)).size).toBe(4)
  for (const namespace of namespaces) {
    expect(new Set(published.filter(({ key }) => key === namespace).map(({ partition }) => partition)).size).toBe(1)
  }
  expect(published).toHaveLength(3 * 2 * ids.length + 1)
  expect((await emitted(given)).find(({ type }) => type === 'story.enriched')?.entity_ids).toEqual(['ent_ada'])
})

it('a story that a wrong clock had silenced is heard of again', async () => {
  const given = running()
  const silenced = { cluster_id: 'sto_a', lifecycle_state: 'concluded', evaluated_at: at(365 * 24) } as const
  await append(given.log, changedMemory, [
    { namespace: 'shared', article: null, story: { ...silenced, enriched_at: { reddit: at(365 * 24) } } },
  ])

  await story(given, placed('a', '1', { action: 'opened' }))
  await send(given, storiesTransitioned, [transition('a', ['concluded', 'developing'], 4.02)])
  await send(given, storiesEnriched, [reception('a', 4.02)])
  await untilAllIsEmitted(given)

  expect(await lines(given)).toEqual(['cluster.opened sto_a', 'story.transitioned sto_a', 'story.enriched sto_a'])
})
