import { Partitioners, type Kafka, type Producer } from 'kafkajs'
import type { OutRecord } from '../../ports/log.ts'
import { requestsOf } from './records.ts'
import { refusedRecords } from './broker-errors.ts'

/** A producer and the calls that send with it: one that failed for a partition still serves the sends of the others. */
interface Shared {
  readonly producer: Promise<Producer>
  sends: number
  isGivenUp: boolean
}

/** Idempotent, in order. After an error the producer's sequence is in doubt, so the next call gets a new one. */
export class KafkaProducer {
  private readonly connect: () => Promise<Producer>
  private current: Shared | null = null

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
    this.current ??= { producer: this.connect(), sends: 0, isGivenUp: false }
    const mine = this.current
    mine.sends += 1
    try {
      const producer = await mine.producer
      for (const topicMessages of requestsOf(records)) {
        const taken = await producer.sendBatch({ acks: -1, topicMessages })
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

/** An abandoned producer may be broken in any way: its errors do not matter. */
async function dispose(producer: Promise<Producer>): Promise<void> {
  await producer.then((it) => it.disconnect()).catch(() => undefined)
}
