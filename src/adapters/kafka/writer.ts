import { Partitioners, type Kafka, type Producer } from 'kafkajs'
import type { OutRecord, Place, TransactionalWriter } from '../../ports/log.ts'
import { rememberCoordinators } from './coordinators.ts'
import { requestsOf } from './records.ts'
import { refusedRecords } from './broker-errors.ts'

/** How long the open transaction of a dead writer may block readers if no writer takes over. */
const TRANSACTION_TIMEOUT_MS = 30_000

/**
 * A transactional producer of its own for each id. kafkajs cannot say whether a failed commit took place, so any error
 * ends this writer: its owner makes a new one (which fences this one and decides what was open) and reads again.
 */
export async function kafkaWriter(client: Kafka, transactionalId: string): Promise<TransactionalWriter> {
  rememberCoordinators(client)
  const producer = client.producer({
    transactionalId,
    idempotent: true,
    maxInFlightRequests: 1,
    transactionTimeout: TRANSACTION_TIMEOUT_MS,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  })
  try {
    await producer.connect()
    // the producer's epoch is taken with the first transaction: take it now, so that earlier writers are fenced now
    await (await producer.transaction()).abort()
  } catch (cause) {
    await producer.disconnect().catch(() => undefined)
    throw new Error(`cannot write as ${transactionalId}`, { cause })
  }
  return new KafkaWriter(producer, transactionalId)
}

class KafkaWriter implements TransactionalWriter {
  private readonly producer: Producer
  private readonly id: string
  private ended = false

  constructor(producer: Producer, id: string) {
    this.producer = producer
    this.id = id
  }

  async write(
    records: readonly OutRecord[],
    read: { readonly group: string; readonly next: readonly Place[] },
  ): Promise<void> {
    if (this.ended) throw new Error(`${this.id} has ended`)
    try {
      const transaction = await this.producer.transaction()
      for (const topicMessages of requestsOf(records)) await transaction.sendBatch({ acks: -1, topicMessages })
      const topics = read.next.map(({ topic, partition, offset }) => ({
        topic,
        partitions: [{ partition, offset: String(offset) }],
      }))
      if (topics.length > 0) await transaction.sendOffsets({ consumerGroupId: read.group, topics })
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
