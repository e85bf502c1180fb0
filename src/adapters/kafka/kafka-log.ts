import type { Kafka } from 'kafkajs'
import type {
  Batch,
  Consumer,
  Incarnation,
  Log,
  LogRecord,
  OutRecord,
  Subscription,
  TransactionalWriter,
} from '../../ports/log.ts'
import { kafkaClient, type KafkaClientOptions } from './client.ts'
import { clusterOf } from './cluster.ts'
import { kafkaConsumer } from './consumer.ts'
import { Heartbeats } from './heartbeats.ts'
import { fetchLessWhenIdle } from './idle-fetches.ts'
import { KafkaIncarnations } from './incarnation.ts'
import { KafkaOffsets } from './offsets.ts'
import { KafkaProducer, kafkaWriter } from './producers.ts'
import { KafkaReaders } from './reader.ts'
import { shortestSession, type Session } from './session.ts'
import { partitionOfKey, topicNames, type TopicNames } from './topic-names.ts'

export interface KafkaLogOptions extends KafkaClientOptions {
  /** Default: the shortest session that the broker accepts. */
  readonly session?: Session
}

/** The log on Kafka. Connects on first use. */
export class KafkaLog implements Log {
  private readonly newClient: () => Kafka
  private readonly names: TopicNames
  private readonly heartbeats: Heartbeats
  private session: Promise<Session> | null
  private readonly producer: KafkaProducer
  private readonly offsets: KafkaOffsets
  private readonly incarnations: KafkaIncarnations
  private readonly readers: KafkaReaders

  constructor(options: KafkaLogOptions) {
    this.newClient = () => kafkaClient(options)
    this.names = topicNames(options)
    this.heartbeats = new Heartbeats(options)
    this.session = options.session === undefined ? null : Promise.resolve(options.session)
    this.producer = new KafkaProducer(this.newClient)
    this.offsets = new KafkaOffsets(this.newClient)
    this.incarnations = new KafkaIncarnations(this.newClient)
    this.readers = new KafkaReaders(() => clusterOf(this.newClient()))
  }

  async produce(records: readonly OutRecord[]): Promise<number> {
    return this.producer.produce(stored(records, this.names))
  }

  async consume(subscription: Subscription, handle: (batch: Batch) => Promise<void>): Promise<Consumer> {
    const session = await this.sessionHere()
    const client = this.newClient()
    fetchLessWhenIdle(client, session)
    const of = storedSubscription(subscription, this.names)
    return kafkaConsumer(client, { ...of, ...session, heartbeats: this.heartbeats }, (batch) =>
      handle(ownBatch(batch, this.names)),
    )
  }

  private async sessionHere(): Promise<Session> {
    this.session ??= shortestSession(this.newClient())
    try {
      return await this.session
    } catch (cause) {
      this.session = null
      throw new Error('the log did not return its shortest session timeout', { cause })
    }
  }

  async writer(transactionalId: string): Promise<TransactionalWriter> {
    const writer = await kafkaWriter(this.newClient(), transactionalId)
    return {
      write: (records, { group, next }) =>
        writer.write(stored(records, this.names), { group, next: stored(next, this.names) }),
      close: () => writer.close(),
    }
  }

  async *read(topic: string, partition: number, from: number): AsyncIterable<readonly LogRecord[]> {
    const chunks = this.readers.read({ topic: this.names.stored(topic), partition }, from)
    for await (const records of chunks) yield own(records, this.names)
  }

  async starts(topic: string): Promise<readonly number[]> {
    return this.offsets.bound(this.names.stored(topic), 'start')
  }

  async since(topic: string, time: number): Promise<readonly number[]> {
    return this.offsets.since(this.names.stored(topic), time)
  }

  async forget(group: string): Promise<void> {
    await this.offsets.forget(group)
  }

  async ends(topic: string): Promise<readonly number[]> {
    return this.offsets.bound(this.names.stored(topic), 'end')
  }

  async committed(group: string, topic: string): Promise<readonly (number | null)[]> {
    return (await this.offsets.committed(group, this.names.stored(topic))).map(({ offset }) => offset)
  }

  partitionOf(key: string, partitions: number): number {
    return partitionOfKey(key, partitions)
  }

  async incarnation(topic: string, partition: number): Promise<Incarnation> {
    return this.incarnations.of(this.names.stored(topic), partition)
  }

  async epochEnd(topic: string, partition: number, epoch: number): Promise<number> {
    return this.incarnations.epochEnd(this.names.stored(topic), partition, epoch)
  }

  async notes(group: string, topic: string): Promise<readonly (string | null)[]> {
    return (await this.offsets.committed(group, this.names.stored(topic))).map(({ note }) => note)
  }

  async close(): Promise<void> {
    await this.heartbeats.close()
    await this.producer.close()
    await this.offsets.close()
    await this.incarnations.close()
    await this.readers.close()
  }
}

type OfTopic = { readonly topic: string }

/** With the names of the topics in Kafka. */
const stored = <Of extends OfTopic>(all: readonly Of[], names: TopicNames): readonly Of[] =>
  names.suffix === '' ? all : all.map((one) => ({ ...one, topic: names.stored(one.topic) }))

/** With our names of the topics. */
const own = <Of extends OfTopic>(all: readonly Of[], names: TopicNames): readonly Of[] =>
  names.suffix === '' ? all : all.map((one) => ({ ...one, topic: names.own(one.topic) ?? one.topic }))

const ownBatch = (batch: Batch, names: TopicNames): Batch =>
  names.suffix === ''
    ? batch
    : { ...batch, topic: names.own(batch.topic) ?? batch.topic, records: own(batch.records, names) }

function storedSubscription(subscription: Subscription, names: TopicNames): Subscription {
  const { topics, onAssigned, onJoined } = subscription
  return {
    ...subscription,
    topics: topics.map((topic) => names.stored(topic)),
    ...(onAssigned === undefined ? {} : { onAssigned: (places) => onAssigned(own(places, names)) }),
    ...(onJoined === undefined ? {} : { onJoined: (places) => onJoined(own(places, names)) }),
  }
}
