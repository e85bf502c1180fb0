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

export interface KafkaLogOptions extends KafkaClientOptions {
  /** Default: the shortest session that the broker accepts. */
  readonly session?: Session
}

/** The log on Kafka. Connects on first use. */
export class KafkaLog implements Log {
  private readonly newClient: () => Kafka
  private readonly heartbeats: Heartbeats
  private session: Promise<Session> | null
  private readonly producer: KafkaProducer
  private readonly offsets: KafkaOffsets
  private readonly incarnations: KafkaIncarnations
  private readonly readers: KafkaReaders

  constructor(options: KafkaLogOptions) {
    this.newClient = () => kafkaClient(options)
    this.heartbeats = new Heartbeats(options)
    this.session = options.session === undefined ? null : Promise.resolve(options.session)
    this.producer = new KafkaProducer(this.newClient)
    this.offsets = new KafkaOffsets(this.newClient)
    this.incarnations = new KafkaIncarnations(this.newClient)
    this.readers = new KafkaReaders(() => clusterOf(this.newClient()))
  }

  async produce(records: readonly OutRecord[]): Promise<number> {
    return this.producer.produce(records)
  }

  async consume(subscription: Subscription, handle: (batch: Batch) => Promise<void>): Promise<Consumer> {
    const session = await this.sessionHere()
    const client = this.newClient()
    fetchLessWhenIdle(client, session)
    return kafkaConsumer(client, { ...subscription, ...session, heartbeats: this.heartbeats }, handle)
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
    return kafkaWriter(this.newClient(), transactionalId)
  }

  read(topic: string, partition: number, from: number): AsyncIterable<readonly LogRecord[]> {
    return this.readers.read({ topic, partition }, from)
  }

  async starts(topic: string): Promise<readonly number[]> {
    return this.offsets.bound(topic, 'start')
  }

  async since(topic: string, time: number): Promise<readonly number[]> {
    return this.offsets.since(topic, time)
  }

  async forget(group: string): Promise<void> {
    await this.offsets.forget(group)
  }

  async ends(topic: string): Promise<readonly number[]> {
    return this.offsets.bound(topic, 'end')
  }

  async committed(group: string, topic: string): Promise<readonly (number | null)[]> {
    return (await this.offsets.committed(group, topic)).map(({ offset }) => offset)
  }

  async incarnation(topic: string, partition: number): Promise<Incarnation> {
    return this.incarnations.of(topic, partition)
  }

  async epochEnd(topic: string, partition: number, epoch: number): Promise<number> {
    return this.incarnations.epochEnd(topic, partition, epoch)
  }

  async notes(group: string, topic: string): Promise<readonly (string | null)[]> {
    return (await this.offsets.committed(group, topic)).map(({ note }) => note)
  }

  async close(): Promise<void> {
    await this.heartbeats.close()
    await this.producer.close()
    await this.offsets.close()
    await this.incarnations.close()
    await this.readers.close()
  }
}
