import { Partitioners, type Kafka, type Producer } from 'kafkajs'
import type { OutRecord } from '../../ports/log.ts'
import { requestsOf } from './records.ts'
import { refusedRecords } from './refused-records.ts'

/** Idempotent, in order. After an error the producer's sequence is in doubt, so the next call gets a new one. */
export class KafkaProducer {
  private readonly connect: () => Promise<Producer>
  private current: Promise<Producer> | null = null

  constructor(newClient: () => Kafka) {
    this.connect = async () => {
      const producer = newClient().producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        createPartitioner: Partitioners.DefaultPartitioner,
      })
      // a rejected connect would still let send() resolve: there is no producer then
      await producer.connect()
      return producer
    }
  }

  async produce(records: readonly OutRecord[]): Promise<number> {
    let loggedAt = 0
    if (records.length === 0) return loggedAt
    this.current ??= this.connect()
    const mine = this.current
    try {
      const producer = await mine
      for (const topicMessages of requestsOf(records)) {
        const taken = await producer.sendBatch({ acks: -1, topicMessages })
        loggedAt = Math.max(loggedAt, ...taken.map(({ logAppendTime }) => Number(logAppendTime ?? 0)))
      }
      return loggedAt
    } catch (cause) {
      if (this.current === mine) this.current = null
      await dispose(mine)
      throw refusedRecords('the log did not take the records', cause)
    }
  }

  async close(): Promise<void> {
    const last = this.current
    this.current = null
    if (last !== null) await dispose(last)
  }
}

/** What is given up may be broken in any way: its own farewell does not matter. */
async function dispose(producer: Promise<Producer>): Promise<void> {
  await producer.then(async (it) => await it.disconnect()).catch(() => undefined)
}
