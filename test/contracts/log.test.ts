import { randomBytes } from 'node:crypto'
import { Kafka, logLevel } from 'kafkajs'
import { expect, inject, it, vi } from 'vitest'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { RecordTooLarge, type LogRecord } from '../../src/ports/log.ts'
import { logContract } from './log.ts'

logContract('kafka', async () => {
  const { brokers } = inject('engines')
  const log = new KafkaLog({ brokers, clientId: 'contract', session: { sessionTimeoutMs: 6000, heartbeatMs: 200 } })
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const started = Date.now()
  let turn = 0
  return {
    log,
    topic: async (partitions) => {
      const topic = `contract.log-${started}-${++turn}`
      await admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: false })
      // kafkajs waits for leaders, but fails if the broker does not know the topic yet
      await vi.waitFor(() => admin.fetchTopicMetadata({ topics: [topic] }), { timeout: 20_000, interval: 50 })
      return topic
    },
    close: async () => {
      await log.close()
      await admin.disconnect()
    },
  }
})

it('reads a compacted partition: the newest record of each key, across gaps, from any offset', async () => {
  const { brokers } = inject('engines')
  const log = new KafkaLog({ brokers, clientId: 'compacted' })
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
  const topic = `contract.compacted-${Date.now()}`
  const entries = { 'cleanup.policy': 'compact', 'segment.ms': '500', 'min.cleanable.dirty.ratio': '0.01' }
  const configEntries = Object.entries(entries).map(([name, value]) => ({ name, value }))
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, configEntries }], waitForLeaders: true })
  await admin.disconnect()
  const put = async (keys: readonly string[], text: string) => {
    await log.produce(keys.map((key) => ({ topic, key, value: Buffer.from(text) })))
  }
  const all = async (from: number) => {
    const records: LogRecord[] = []
    for await (const chunk of log.read(topic, 0, from)) records.push(...chunk)
    return records
  }
  const keys = Array.from({ length: 40 }, (_, i) => `k${i % 4}`)
  await put(keys, 'old')
  await put(['k0', 'k1', 'k2', 'k3'], 'new')

  // each write after half a second rolls the segment, and only rolled segments are compacted
  await vi.waitFor(
    async () => {
      await put(['roll'], 'x')
      expect((await all(0)).filter(({ key }) => key !== 'roll').map(({ value }) => String(value))).toEqual(
        Array.from({ length: 4 }, () => 'new'),
      )
    },
    { timeout: 60_000, interval: 600 },
  )

  const newest = (await all(0)).filter(({ key }) => key !== 'roll')
  for (const from of [1, 17, 39, 41]) {
    const recent = newest.filter(({ offset }) => offset >= from).map(({ offset }) => offset)
    const read = (await all(from)).filter(({ key }) => key !== 'roll').map(({ offset }) => offset)
    expect(read).toEqual(recent)
  }
  await log.close()
})

it('reports a record that is too large as not retriable, and continues with the next', async () => {
  const { brokers } = inject('engines')
  const log = new KafkaLog({ brokers, clientId: 'too-large' })
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin()
  const topic = `contract.too-large-${Date.now()}`
  const configEntries = [{ name: 'max.message.bytes', value: '100000' }]
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, configEntries }], waitForLeaders: true })
  await admin.disconnect()
  const large = [{ topic, key: 'k', value: randomBytes(200_000) }]

  await expect(log.produce(large)).rejects.toThrow(RecordTooLarge)
  const writer = await log.writer(topic)
  await expect(writer.write(large, { group: topic, next: [] })).rejects.toThrow(RecordTooLarge)

  await log.produce([{ topic, key: 'k', value: Buffer.from('small') }])
  await writer.close()
  await log.close()
})

it('reads a compressed topic, whether the broker compressed a batch or its producer', async () => {
  const { brokers } = inject('engines')
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING })
  const [log, admin, plain] = [new KafkaLog({ brokers, clientId: 'zstd' }), kafka.admin(), kafka.producer()]
  const topic = `contract.zstd-${Date.now()}`
  const entries = { 'compression.type': 'zstd', 'max.message.bytes': '100000' }
  const configEntries = Object.entries(entries).map(([name, value]) => ({ name, value }))
  await admin.createTopics({ topics: [{ topic, numPartitions: 1, configEntries }], waitForLeaders: true })
  // more than one block of zstd; what we compress may be larger than the limit before
  const texts = ['broker '.repeat(14_000), 'producer '.repeat(20_000), 'transaction '.repeat(20_000)]
  const [byBroker = '', byProducer = '', inTransaction = ''] = texts

  await plain.connect()
  await plain.send({ topic, messages: [{ value: byBroker }] })
  await log.produce([{ topic, key: null, value: Buffer.from(byProducer) }])
  const writer = await log.writer(topic)
  await writer.write([{ topic, key: null, value: Buffer.from(inTransaction) }], { group: topic, next: [] })

  const read: string[] = []
  for await (const chunk of log.read(topic, 0, 0)) read.push(...chunk.map(({ value }) => String(value)))
  expect(read).toEqual(texts)
  await Promise.all([writer.close(), plain.disconnect(), admin.disconnect()])
  await log.close()
})

it('never shows what a transaction did not commit', async () => {
  const { brokers } = inject('engines')
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING })
  const [log, admin] = [new KafkaLog({ brokers, clientId: 'committed' }), kafka.admin()]
  const topic = `contract.committed-${Date.now()}`
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true })
  const producer = kafka.producer({ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 })
  await producer.connect()
  const aborted = await producer.transaction()
  await aborted.send({ topic, messages: [{ value: 'never' }] })
  await aborted.abort()
  await log.produce([{ topic, key: null, value: Buffer.from('said') }])
  const shown: string[] = []

  const consumer = await log.consume(
    {
      ...{ group: topic, topics: [topic], minBytes: 1, maxWaitMs: 100 },
      onCrash: (cause) => {
        throw cause
      },
    },
    async ({ records }) => void shown.push(...records.map(({ value }) => String(value))),
  )
  await vi.waitFor(() => expect(shown).toContain('said'), { timeout: 20_000 })

  expect(shown).toEqual(['said'])
  const read: string[] = []
  for await (const chunk of log.read(topic, 0, 0)) read.push(...chunk.map(({ value }) => String(value)))
  expect(read).toEqual(['said'])
  await Promise.all([consumer.stop(), producer.disconnect(), admin.disconnect()])
  await log.close()
})

it('has its end offset before the records of an open transaction', async () => {
  const { brokers } = inject('engines')
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING })
  const [log, admin] = [new KafkaLog({ brokers, clientId: 'ends' }), kafka.admin()]
  const topic = `contract.ends-${Date.now()}`
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true })
  const producer = kafka.producer({ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 })
  await producer.connect()
  await log.produce([{ topic, key: null, value: Buffer.from('said') }])
  const open = await producer.transaction()
  await open.send({ topic, messages: [{ value: 'not yet' }] })

  expect(await log.ends(topic)).toEqual([1])
  await open.commit()
  await expect.poll(() => log.ends(topic), { timeout: 10_000 }).toEqual([3])
  await Promise.all([producer.disconnect(), admin.disconnect()])
  await log.close()
})

it('returns the end offsets of topics beside an unknown one, and of one created during the request', async () => {
  const { brokers } = inject('engines')
  const [log, admin] = [
    new KafkaLog({ brokers, clientId: 'unknown' }),
    new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin(),
  ]
  const made = `contract.made-${Date.now()}`
  await admin.connect()
  const late = log.ends(`${made}-late`)
  const response = Promise.allSettled([log.ends(made), log.ends(`${made}-never`), log.starts(made)])
  for (const topic of [made, `${made}-late`]) {
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }], waitForLeaders: true })
  }

  expect(await late).toEqual([0, 0])
  expect(await response).toMatchObject([
    { status: 'fulfilled', value: [0, 0] },
    { status: 'rejected', reason: new Error('the log did not say its offsets') },
    { status: 'fulfilled', value: [0, 0] },
  ])
  await admin.disconnect()
  await log.close()
})
