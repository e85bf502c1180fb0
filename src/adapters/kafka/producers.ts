import { Partitioners, type Kafka, type Message, type Producer, type ProducerConfig, type TopicMessages } from 'kafkajs'
import type { OutRecord, ReadOffsets, TransactionalWriter } from '../../ports/log.ts'
import type { ArchivedPartition, ArchivedRecord, Restorer, RestoredStretch } from '../../ports/restorer.ts'
import { byLeader, requestsOf } from './records.ts'
import { onceReady, refusedRecords } from './broker-errors.ts'
import { cacheCoordinators } from './coordinators.ts'
import { kafkaClient, type KafkaClientOptions } from './client.ts'
import { changeClusters, type KafkaCluster } from './cluster.ts'
import { partitionOfKey, topicNames } from './topic-names.ts'
import { COMPRESSION } from './zstd.ts'

export const producerOf = (client: Kafka, transactional: ProducerConfig = {}): Producer =>
  client.producer({
    ...transactional,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  })

/** Every replica in sync has the records before the broker confirms them. */
export const WRITTEN = { acks: -1, compression: COMPRESSION } as const

/** A producer and its pending sends. After one send fails for a partition, the producer still completes the others. */
interface Shared {
  readonly producer: Promise<Producer>
  sends: number
  isGivenUp: boolean
}

/** Idempotent and ordered. After an error the sequence number is unknown, so the next call uses a new producer. */
export class KafkaProducer {
  private readonly connect: () => Promise<Producer>
  private current: Shared | null = null

  constructor(newClient: () => Kafka) {
    this.connect = async () => {
      const producer = producerOf(newClient())
      // kafkajs would resolve send() even after a failed connect, without a producer
      await producer.connect()
      return producer
    }
  }

  async produce(records: readonly OutRecord[]): Promise<number> {
    let loggedAt = 0
    if (records.length === 0) return loggedAt
    this.current ??= { producer: this.connect(), sends: 0, isGivenUp: false }
    const mine = this.current
    mine.sends += 1
    try {
      const producer = await mine.producer
      for (const topicMessages of requestsOf(records)) {
        const taken = await producer.sendBatch({ ...WRITTEN, topicMessages })
        loggedAt = Math.max(loggedAt, ...taken.map(({ logAppendTime }) => Number(logAppendTime ?? 0)))
      }
      return loggedAt
    } catch (cause) {
      if (this.current === mine) this.current = null
      mine.isGivenUp = true
      throw refusedRecords('the log did not accept the records', cause)
    } finally {
      mine.sends -= 1
      if (mine.isGivenUp && mine.sends === 0) await dispose(mine.producer)
    }
  }

  async close(): Promise<void> {
    const last = this.current
    this.current = null
    if (last !== null) await dispose(last.producer)
  }
}

/** Disconnects an abandoned producer. Its errors are ignored, because it may be in any state. */
async function dispose(producer: Promise<Producer>): Promise<void> {
  await producer.then((it) => it.disconnect()).catch(() => undefined)
}

/** How long the open transaction of a dead writer can block readers if no new writer fences it. */
const TRANSACTION_TIMEOUT_MS = 30_000

/**
 * A transactional producer for one transactional id. kafkajs cannot report whether a failed commit took effect, so any
 * error ends this writer. The owner then creates a new one, which fences the old one and completes or aborts its open
 * transaction, and reads again from the committed offsets.
 */
export async function kafkaWriter(client: Kafka, transactionalId: string): Promise<TransactionalWriter> {
  cacheCoordinators(client)
  const clusters: KafkaCluster[] = []
  changeClusters(client, (cluster) => clusters.push(cluster))
  const producer = producerOf(client, { transactionalId, transactionTimeout: TRANSACTION_TIMEOUT_MS })
  const [cluster] = clusters
  if (cluster === undefined) throw new Error('this version of kafkajs is not supported')
  try {
    await producer.connect()
    // the producer gets its epoch with the first transaction; an empty one fences earlier writers immediately
    await (await producer.transaction()).abort()
  } catch (cause) {
    await producer.disconnect().catch(() => undefined)
    throw new Error(`cannot write as ${transactionalId}`, { cause })
  }
  return new KafkaWriter({ producer, cluster }, transactionalId)
}

/**
 * kafkajs 2.2.4 sends a batch to all its leaders at once. If one fails, it sends the batch again to all that have not
 * answered yet, under new sequence numbers, so that what they were still writing is written twice. Therefore each batch
 * of a transaction has one leader.
 */
async function perLeader(
  cluster: KafkaCluster,
  request: readonly TopicMessages[],
): Promise<readonly TopicMessages[][]> {
  await cluster.addMultipleTargetTopics(request.map(({ topic }) => topic))
  return byLeader(request, (topic, message) => {
    const partitions = cluster.findTopicPartitionMetadata(topic).length
    if (partitions === 0) return null
    message.partition ??= partitionOfKey(message.key ?? null, partitions)
    return Object.keys(cluster.findLeaderForPartitions(topic, [message.partition]))[0] ?? null
  })
}

/**
 * The broker completes a transaction shortly after it confirms its commit. kafkajs waits for that before it writes
 * records, but not before it writes offsets, the first request of a transaction without records. A group has no
 * coordinator while a new cluster creates the topic of offsets, or while another broker loads it; then the broker that was
 * looked up refuses the offsets. Each attempt looks it up again.
 */
const NOT_READY = {
  types: new Set([
    'CONCURRENT_TRANSACTIONS',
    'GROUP_COORDINATOR_NOT_AVAILABLE',
    'GROUP_LOAD_IN_PROGRESS',
    'NOT_COORDINATOR_FOR_GROUP',
  ]),
  attempts: 100,
}

class KafkaWriter implements TransactionalWriter {
  private readonly producer: Producer
  private readonly id: string
  private readonly cluster: KafkaCluster
  private ended = false

  constructor({ producer, cluster }: { readonly producer: Producer; readonly cluster: KafkaCluster }, id: string) {
    this.producer = producer
    this.id = id
    this.cluster = cluster
  }

  async write(records: readonly OutRecord[], read: ReadOffsets): Promise<void> {
    if (this.ended) throw new Error(`${this.id} has ended`)
    try {
      const transaction = await this.producer.transaction()
      for (const request of requestsOf(records)) {
        for (const topicMessages of await perLeader(this.cluster, request)) {
          await transaction.sendBatch({ ...WRITTEN, topicMessages })
        }
      }
      const topics = read.next.map(({ topic, partition, offset, metadata }) => ({
        topic,
        partitions: [{ partition, offset: String(offset), metadata }],
      }))
      if (topics.length > 0) {
        await onceReady(() => transaction.sendOffsets({ consumerGroupId: read.group, topics }), NOT_READY)
      }
      await transaction.commit()
    } catch (cause) {
      await this.close()
      throw refusedRecords(`a transaction of ${this.id} failed`, cause)
    }
  }

  async close(): Promise<void> {
    this.ended = true
    await this.producer.disconnect().catch(() => undefined)
  }
}

/** Filler records per request. They belong to an aborted transaction, so no reader sees them. */
const FILLERS = 5_000

/** Use one per topic that is restored concurrently: `name` is its transactional id. */
export async function kafkaRestorer(options: KafkaClientOptions, name: string): Promise<Restorer> {
  const plain = producerOf(kafkaClient(options))
  const transactional = producerOf(kafkaClient(options), { transactionalId: name })
  await Promise.all([plain.connect(), transactional.connect()])
  const names = topicNames(options)
  return {
    put: (of, stretch) => put({ plain, transactional }, { ...of, topic: names.stored(of.topic) }, stretch),
    close: async () => {
      await Promise.all([plain.disconnect(), transactional.disconnect()])
    },
  }
}

async function put(
  { plain, transactional }: Readonly<Record<'plain' | 'transactional', Producer>>,
  { topic, partition }: ArchivedPartition,
  stretch: RestoredStretch,
) {
  const messagesOf = (records: readonly ArchivedRecord[]) => records.map((record) => messageOf(record, partition))
  switch (stretch.kind) {
    case 'records':
      await plain.send({ topic, ...WRITTEN, messages: messagesOf(stretch.records) })
      return
    case 'committed': {
      const transaction = await transactional.transaction()
      await transaction.send({ topic, ...WRITTEN, messages: messagesOf(stretch.records) })
      await transaction.commit()
      return
    }
    case 'nothing': {
      const transaction = await transactional.transaction()
      const filler = { ...empty(stretch.timestamp), partition }
      for (let left = stretch.offsets - 1; left > 0; left -= FILLERS) {
        await transaction.send({ topic, ...WRITTEN, messages: Array<Message>(Math.min(left, FILLERS)).fill(filler) })
      }
      await transaction.abort()
      return
    }
    case 'tombstone':
      await plain.send({ topic, ...WRITTEN, messages: [{ ...empty(stretch.timestamp), partition }] })
  }
}

export const messageOf = ({ key, value, headers, timestamp }: ArchivedRecord, partition: number): Message => ({
  key,
  value,
  headers: { ...headers },
  timestamp: String(timestamp),
  partition,
})

/** Compacted topics reject records without a key. */
const empty = (timestamp: number): Message => ({ key: 'archive', value: null, timestamp: String(timestamp) })
