import type { Kafka } from 'kafkajs'
import type { Batch, Consumer, Log, LogRecord, OutRecord, Subscription, TransactionalWriter } from '../../ports/log.ts'
import { kafkaClient, type KafkaOptions } from './client.ts'
import { defaultSession, kafkaConsumer, type Session } from './consumer.ts'
import { KafkaOffsets } from './offsets.ts'
import { KafkaProducer } from './producer.ts'
import { readPartition } from './reader.ts'
import { kafkaWriter } from './writer.ts'

export interface KafkaLogOptions extends KafkaOptions {
  readonly session?: Session
}

/** The log in Kafka. Connects when first used. */
export class KafkaLog implements Log {
  private readonly newClient: () => Kafka
  private readonly session: Session
  private readonly producer: KafkaProducer
  private readonly offsets: KafkaOffsets

  constructor(options: KafkaLogOptions) {
    this.newClient = () => kafkaClient(options)
    this.session = options.session ?? defaultSession
    this.producer = new KafkaProducer(this.newClient)
    this.offsets = new KafkaOffsets(this.newClient)
  }

  async produce(records: readonly OutRecord[]): Promise<number> {
    return await this.producer.produce(records)
  }

  async consume(subscription: Subscription, handle: (batch: Batch) => Promise<void>): Promise<Consumer> {
    const { sessionTimeoutMs, heartbeatMs } = this.session
    const session = { heartbeatMs, sessionTimeoutMs: Math.min(sessionTimeoutMs, subscription.sessionMs ?? Infinity) }
    return await kafkaConsumer(this.newClient(), { ...subscription, ...session }, handle)
  }

  async writer(transactionalId: string): Promise<TransactionalWriter> {
    return await kafkaWriter(this.newClient(), transactionalId)
  }

  read(topic: string, partition: number, from: number): AsyncIterable<readonly LogRecord[]> {
    return readPartition(this.newClient(), { topic, partition }, from)
  }

  async ends(topic: string): Promise<readonly number[]> {
    return await this.offsets.ends(topic)
  }

  async committed(group: string, topic: string): Promise<readonly (number | null)[]> {
    return (await this.offsets.committed(group, topic)).map(({ offset }) => offset)
  }

  async notes(group: string, topic: string): Promise<readonly (string | null)[]> {
    return (await this.offsets.committed(group, topic)).map(({ note }) => note)
  }

  async close(): Promise<void> {
    await this.producer.close()
    await this.offsets.close()
  }
}
