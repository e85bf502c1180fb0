import { afterAll, expect, inject, it } from 'vitest'
import { besideName } from '../../src/adapters/beside-log.ts'
import { besideTopics } from '../../src/adapters/kafka/admin.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { reprocessStage } from '../../src/operations/reprocess/reprocess-stage.ts'
import type { RunBesidePorts } from '../../src/operations/reprocess/run-beside.ts'
import { reprocessed } from '../../src/operations/reprocess/stages.ts'
import { applyTopics } from '../../src/operations/topics.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../src/events/articles.ts'
import { articlesClustered, type ArticleClustered } from '../../src/events/ledger.ts'
import { clockTicked } from '../../src/events/settings.ts'
import type { Topic } from '../../src/events/topic.ts'
import { runMemoryStage } from '../../src/runtime/run-memory-stage.ts'
import type { StageDependencies } from '../../src/pipeline.ts'
import { clustered } from '../../src/stages/clustered/stage.ts'
import { clusteredAssignments } from '../../src/stages/clustered/assignments.ts'
import { clusteredMemory } from '../../src/stages/clustered/changelog.ts'
import { madeUpReport, storiesOf } from '../builders/clustered.ts'
import { aFlushTick, MUCH_STRICTER, someNews, strictBy } from '../builders/reprocess.ts'
import { aRunning } from '../builders/running.ts'
import { until } from '../pipeline/until.ts'

const { brokers, registryUrl } = inject('engines')
const log = new KafkaLog({ brokers, clientId: 'reprocess-test' })
const codec = new RegistryCodec({ url: registryUrl })

afterAll(async () => {
  await log.close()
})

async function publish<Event>(topic: Topic<Event>, events: readonly Event[]): Promise<void> {
  const records = events.map(async (event) => ({
    topic: topic.name,
    key: topic.key(event),
    value: await codec.encode(topic, event),
  }))
  await log.produce(await Promise.all(records))
}

async function all<Event>(topic: Topic<Event>): Promise<Event[]> {
  const events: Event[] = []
  for await (const chunk of log.read(topic.name, 0, 0)) {
    for (const { value } of chunk) {
      const decoded = value === null ? null : await codec.decode(topic, value)
      if (decoded?.kind === 'event') events.push(decoded.event)
    }
  }
  return events
}

const ledger = (): Promise<ArticleClustered[]> => all(articlesClustered)

const untilPlaced = (articles: readonly ArticleAnalyzed[]): Promise<void> =>
  until('every article is placed', async () => {
    const stories = storiesOf(await ledger())
    return articles.every(({ article_id }) => stories.has(article_id)) ? true : null
  }).then(() => undefined)

const running = () => ({ ...aRunning({ log, clock: systemClock }), codec, clock: systemClock })

it('a new clusterer takes the place of one at work, over Kafka: one transaction, ids kept, and it goes on', async () => {
  await applyTopics({ kafka: { brokers }, topics: { partitions: 'one' } })
  const news = someNews(12, 6)
  const live = await runMemoryStage(clustered(strictBy(0)), running())
  await publish(articlesAnalyzed, news)
  await untilPlaced(news)
  await publish(clockTicked, [aFlushTick(1)])
  await until('the day is rebuilt', async () => {
    return (await ledger()).some(({ action }) => action === 'rebuilt') ? true : null
  })
  const before = storiesOf(await ledger())
  const topics = await besideTopics({ brokers })
  const { clock, logger, metrics, limits } = running()
  const progress = { update: () => undefined, print: () => undefined, end: () => undefined }
  const needs = { clustered: async () => strictBy(MUCH_STRICTER) } as unknown as StageDependencies
  const ports: RunBesidePorts = {
    log,
    codec,
    clock,
    topics,
    dependencies: needs,
    running: { clock, logger, metrics, limits, checkpoints: null },
    progress,
  }
  const request = { stage: reprocessed('clustered'), version: '5', from: null, beside: 'keep' } as const

  const report = await reprocessStage({ ...request, mode: 'accept' }, ports)

  const after = storiesOf(await ledger())
  expect(report.stories?.moved).toBeGreaterThan(0)
  expect([...after].filter(([article, story]) => before.get(article) !== story)).toHaveLength(
    report.stories?.moved ?? 0,
  )
  expect(report.dropped).toBe(6)
  expect(await topics.drop([articlesClustered.name, clusteredMemory.name, clusteredAssignments.name])).toBe(0)
  expect((await log.committed(besideName('clustered'), articlesAnalyzed.name)).every((one) => one === null)).toBe(true)

  const late = madeUpReport({ event: 3, outlet: 9, day: 1 })
  await publish(articlesAnalyzed, [late])
  await untilPlaced([late])
  await live.stop()
  const memory = (await all(clusteredMemory)).filter(({ rebuilt }) => rebuilt === null)
  const remembered = new Map(memory.map(({ article_id, cluster_id }) => [article_id, cluster_id]))
  expect(remembered).toEqual(storiesOf(await ledger()))
  await topics.close()
})
