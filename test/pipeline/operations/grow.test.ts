import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { topicAdmin, type TopicAdmin } from '../../../src/adapters/kafka/admin.ts'
import { kafkaAppender } from '../../../src/adapters/kafka/appender.ts'
import { KafkaLog } from '../../../src/adapters/kafka/kafka-log.ts'
import { PlainCodec } from '../../../src/adapters/plain-codec.ts'
import { projectPath } from '../../../src/config/project-path.ts'
import { readTopicFiles, topicSpecs, type Partitions } from '../../../src/config/topics.ts'
import { FIRST_PARTITION, RecordTooLarge, type LogRecord, type OutRecord } from '../../../src/ports/log.ts'
import { placeLogged } from '../../../src/runtime/dead-letter.ts'
import { copyTopics } from '../../../src/operations/grow/copy.ts'
import {
  createTopics,
  openTopics,
  sealTopics,
  stateOf,
  unsealTopics,
} from '../../../src/operations/grow/generations.ts'
import { retriedAppender } from '../../../src/operations/grow/retried-appender.ts'
import { systemClock } from '../../../src/adapters/clock.ts'
import type { Appender } from '../../../src/ports/appender.ts'
import { grownTopics } from '../../../src/operations/grow/plan.ts'
import { switchOver, type SwitchPorts } from '../../../src/operations/grow/switch-over.ts'
import { soon } from '../../builders/soon.ts'

const { brokers } = inject('engines')
const [INGESTED, LEDGER, STATE] = ['articles.ingested', 'articles.clustered', 'clustered.memory']
const GROUP = 'grown-reader'
const old = { brokers, topicSuffix: '.test12' }
const grown = { brokers, topicSuffix: '.test24' }

const specsOf = (partitions: Partitions) =>
  topicSpecs(readTopicFiles(projectPath('topics')), partitions).filter(({ name }) =>
    [INGESTED, LEDGER, STATE].includes(name),
  )
const [from, to] = [new KafkaLog({ ...old, clientId: 'grow-old' }), new KafkaLog({ ...grown, clientId: 'grow-new' })]
let admins: readonly [TopicAdmin, TopicAdmin]
beforeAll(async () => {
  admins = [await topicAdmin(old), await topicAdmin(grown)]
})
afterAll(async () => {
  await Promise.all([...admins.map((admin) => admin.close()), from.close(), to.close()])
})

const open = () => kafkaAppender({ ...grown, clientId: 'grow' })
const appender = () => retriedAppender({ log: to, clock: systemClock, open })

const value = (text: string) => Buffer.from(text.padEnd(200, '.'))
const NAMESPACES = Array.from({ length: 20 }, (_, n) => `namespace-${n}`)

/** Articles by their ids, and what a stateful stage writes to the partition of each namespace in transactions. */
async function write(round: number): Promise<void> {
  const articles = Array.from({ length: 300 }, (_, n): OutRecord => {
    const headers = { request_id: `${round}-${n}` }
    return { topic: INGESTED, key: n % 10 === 0 ? null : `article-${n % 60}`, value: value(`${round} ${n}`), headers }
  })
  // a producer may fail on a topic that has just been created
  await vi.waitFor(() => from.produce(articles), soon)
  for (const namespace of NAMESPACES) {
    const partition = from.partitionOf(namespace, 12)
    const writer = await from.writer(`grow-test-${partition}`)
    const entries = ['one', 'two'].flatMap((id): OutRecord[] => [
      { topic: LEDGER, key: namespace, value: value(`${round} ${id}`), partition },
      { topic: STATE, key: `${namespace}:${id}`, value: value(`${round} ${id}`), partition },
    ])
    await writer.write(entries, { group: GROUP, next: [{ topic: INGESTED, partition, offset: 5 }] })
    await writer.close()
  }
}

async function recordsOf(log: KafkaLog, topic: string): Promise<readonly LogRecord[]> {
  const all: LogRecord[] = []
  for (const [partition, end] of (await log.ends(topic)).entries()) {
    if (end > 0) for await (const records of log.read(topic, partition, 0)) all.push(...records)
  }
  return all
}

const content = (record: LogRecord) => {
  const headers = Object.entries(record.headers).filter(([name]) => name !== FIRST_PARTITION)
  return JSON.stringify({
    ...placeLogged(record),
    key: record.key,
    value: record.value?.toString(),
    headers,
    at: record.loggedAt,
  })
}

const keysOf = (records: readonly LogRecord[]): ReadonlyMap<string, readonly string[]> => {
  const byKey = new Map<string, string[]>()
  for (const { key, value: text } of records) {
    if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), text?.toString() ?? ''])
  }
  return byKey
}

it('12 partitions become 24: order of every key, ids, times and positions stay, and nothing is lost or doubled', async () => {
  const [before, after] = [
    { admin: admins[0], specs: specsOf('production') },
    { admin: admins[1], specs: specsOf(24) },
  ]
  await openTopics(before)
  await write(1)
  await createTopics(after)
  const topics = grownTopics(await before.admin.existing(), { old: before.specs, grown: after.specs })
  const ports: SwitchPorts = {
    ...{ from, to, codec: new PlainCodec(), onDone: () => undefined },
    appender,
    discard: async () => undefined,
    groups: [{ group: GROUP, reads: [INGESTED] }],
    busy: (groups) => before.admin.busy(groups),
    seal: () => sealTopics(before),
    fence: async () => undefined,
    open: () => openTopics(after),
  }

  // a copy that is killed, a second one while records arrive, then the last one
  let appends = 0
  const mortal = async (): Promise<Appender> => {
    const inner = await appender()
    const append: Appender['append'] = async (at, records) => {
      if (appends++ >= 7) throw new Error('killed')
      await inner.append(at, records)
    }
    return { ...inner, append }
  }
  await expect(copyTopics({ ...ports, appender: mortal }, topics)).rejects.toThrow('killed')
  await copyTopics(ports, topics)
  await write(2)
  expect(await stateOf(after)).toBe('filling')
  await switchOver(ports, topics)

  expect(await stateOf(after)).toBe('open')
  for (const topic of [INGESTED, LEDGER, STATE]) {
    const [old, moved] = [await recordsOf(from, topic), await recordsOf(to, topic)]
    expect(old.length).toBeGreaterThan(0)
    if (topic === STATE) expect(keysOf(moved)).toEqual(keysOf(old))
    else expect(moved.map(content).sort()).toEqual(old.map(content).sort())
    expect(keysOf(moved)).toEqual(keysOf(old))
    const key = (record: LogRecord) => (topic === STATE ? record.key?.split(':')[0] : record.key) ?? null
    for (const record of moved) {
      const own = key(record)
      if (own !== null) expect(record.partition).toBe(to.partitionOf(own, 24))
    }
    const ends = await from.ends(topic)
    expect(await to.ends(topic)).toEqual([...ends, ...ends])
  }
  const committed = await from.committed(GROUP, INGESTED)
  expect(await to.committed(GROUP, INGESTED)).toEqual([...committed, ...committed])

  // the broker rejects what a producer still writes to the old topics, and the new ones take it
  const late: OutRecord = { topic: INGESTED, key: 'article-1', value: value('late') }
  await expect(from.produce([late])).rejects.toBeInstanceOf(RecordTooLarge)
  await to.produce([late])
  expect(
    keysOf(await recordsOf(to, INGESTED))
      .get('article-1')
      ?.at(-1),
  ).toBe(value('late').toString())

  // the way back
  expect(await unsealTopics(before)).toBe(3)
  await from.produce([late])
  expect(await after.admin.drop(after.specs.map(({ name }) => name))).toBe(3)
})

it('a consumer of a grown topic gets its records and commits past the fillers', async () => {
  const [before, after] = [
    { admin: admins[0], specs: specsOf('production') },
    { admin: admins[1], specs: specsOf(24) },
  ]
  await createTopics(after)
  const topics = grownTopics(await before.admin.existing(), { old: before.specs, grown: after.specs })
  await copyTopics(
    {
      ...{ from, to, codec: new PlainCodec(), onDone: () => undefined },
      appender,
      discard: async () => undefined,
    },
    topics.filter(({ topic }) => topic === INGESTED),
  )
  const expected = (await recordsOf(from, INGESTED)).length
  const ends = await to.ends(INGESTED)

  const seen = new Set<string>()
  const reached = new Map<number, number>()
  const consumer = await to.consume(
    { group: 'grown-consumer', topics: [INGESTED], minBytes: 1, maxWaitMs: 100, onCrash: () => undefined },
    async (batch) => {
      const { topic, partition, records, end } = batch
      expect(topic).toBe(INGESTED)
      for (const record of records) if (record.headers['filler'] === undefined) seen.add(content(record))
      await batch.commit(end)
      reached.set(partition, end)
    },
  )
  await expect
    .poll(() => ends.every((end, partition) => (reached.get(partition) ?? 0) >= end), { timeout: 60_000 })
    .toBe(true)
  await consumer.stop()

  expect(seen.size).toBe(expected)
})
