import kafkajs, { type Consumer as KafkaConsumer, type EachBatchPayload, type Kafka } from 'kafkajs'
import type { Batch, Consumer, Subscription } from '../../ports/log.ts'
import { coPartitionAssigner } from './co-partition.ts'
import { INITIAL_RETRY_MS } from './client.ts'
import { recordOf } from './records.ts'

export interface Session {
  /** How long a dead member's partitions wait for another. */
  readonly sessionTimeoutMs: number
  /** How soon a live member notices that others came or went. */
  readonly heartbeatMs: number
}

/** Kafka's own 45 s: while stories are put together anew a process does not answer for some seconds. */
export const defaultSession: Session = { sessionTimeoutMs: 45_000, heartbeatMs: 500 }

const REBALANCE_TIMEOUT_MS = 30_000
const MAX_BYTES_PER_PARTITION = 2 * 1024 * 1024

type Handle = (batch: Batch) => Promise<void>

/** Consumes until stopped. A broker that is away pauses it for as long as it is away. */
export async function kafkaConsumer(
  client: Kafka,
  subscription: Subscription & Session,
  handle: Handle,
): Promise<Consumer> {
  const consumer = client.consumer({
    groupId: subscription.group,
    partitionAssigners: [coPartitionAssigner],
    sessionTimeout: subscription.sessionTimeoutMs,
    heartbeatInterval: subscription.heartbeatMs,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    minBytes: subscription.minBytes,
    maxWaitTimeInMs: subscription.maxWaitMs,
    maxBytesPerPartition: MAX_BYTES_PER_PARTITION,
    readUncommitted: false,
    allowAutoTopicCreation: false,
    // after 30 attempts it connects anew, and it does so for ever
    retry: { retries: 30, initialRetryTime: INITIAL_RETRY_MS, maxRetryTime: 1000, restartOnFailure: async () => true },
  })
  const member = new Member(consumer, subscription, handle)
  await member.start()
  return member
}

class Member implements Consumer {
  private readonly consumer: KafkaConsumer
  private readonly subscription: Subscription & Session
  private readonly handle: Handle
  /** Raised whenever partitions may have changed hands. */
  private generation = 0
  private told = -1
  private assigned: { readonly topic: string; readonly partition: number }[] = []
  private lastAlive = 0
  private stopping = false

  constructor(consumer: KafkaConsumer, subscription: Subscription & Session, handle: Handle) {
    this.consumer = consumer
    this.subscription = subscription
    this.handle = handle
  }

  async start(): Promise<void> {
    this.listen()
    try {
      await this.consumer.connect()
      await this.consumer.subscribe({ topics: [...this.subscription.topics], fromBeginning: true })
      await this.consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 1,
        eachBatch: async (payload) => {
          await this.eachBatch(payload)
        },
      })
    } catch (cause) {
      await this.consumer.disconnect().catch(() => undefined)
      throw new Error(`${this.subscription.group} cannot consume`, { cause })
    }
  }

  async stop(): Promise<void> {
    this.stopping = true
    await this.consumer.disconnect()
  }

  private listen(): void {
    const { GROUP_JOIN, REBALANCING, HEARTBEAT, CRASH } = this.consumer.events
    this.consumer.on(GROUP_JOIN, ({ payload }) => {
      this.generation += 1
      this.lastAlive = performance.now()
      this.assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      )
    })
    this.consumer.on(HEARTBEAT, () => {
      this.lastAlive = performance.now()
    })
    this.consumer.on(REBALANCING, () => {
      this.generation += 1
    })
    this.consumer.on(CRASH, ({ payload }) => {
      this.generation += 1
      if (!payload.restart && !this.stopping) {
        this.subscription.onCrash(new Error(`${this.subscription.group} has ended`, { cause: payload.error }))
      }
    })
  }

  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const ours = new OurBatch(payload, () => this.isAlive(), this.generation)
    try {
      await this.tellAssigned(ours)
      await this.handle(ours.batch(() => this.generation))
      ours.over = true
      payload.resolveOffset(payload.batch.lastOffset())
    } catch (cause) {
      if (!this.stopping) throw again(ours.lost ?? cause)
    }
  }

  private async tellAssigned(ours: OurBatch): Promise<void> {
    if (this.told === this.generation) return
    const generation = this.generation
    await whileBeating(ours, this.subscription, async () => await this.subscription.onAssigned?.(this.assigned))
    this.told = generation
  }

  /** A member that has not been heard for a session may have been replaced without knowing it. */
  private isAlive(): boolean {
    return performance.now() - this.lastAlive < this.subscription.sessionTimeoutMs
  }
}

/** A batch as long as it is ours. */
class OurBatch {
  /** What told us that it is ours no more. */
  lost: unknown = null
  /** Read to its end: a commit moves what a restart reads from, and not where we go on. */
  over = false
  private readonly payload: EachBatchPayload
  private readonly isAlive: () => boolean
  private readonly born: number

  constructor(payload: EachBatchPayload, isAlive: () => boolean, born: number) {
    this.payload = payload
    this.isAlive = isAlive
    this.born = born
  }

  batch(generation: () => number): Batch {
    const { batch } = this.payload
    const { topic, partition } = batch
    const records = batch.messages.map((message) => recordOf(topic, partition, message))
    return {
      topic,
      partition,
      records,
      highWatermark: Number(batch.highWatermark),
      // past the transaction marker that may follow the last record
      end: Number(batch.lastOffset()) + 1,
      heartbeat: async () => {
        await this.heartbeat()
      },
      commit: async (next, note = '') => {
        await this.commit(next, note)
      },
      isStale: () => this.lost !== null || generation() !== this.born || !this.isAlive(),
    }
  }

  async heartbeat(): Promise<void> {
    await this.noticing(async () => {
      await this.payload.heartbeat()
    })
  }

  /** Not consumer.commitOffsets: once the consumer stops, that one silently commits nothing. */
  private async commit(next: number, metadata: string): Promise<void> {
    const { topic, partition } = this.payload.batch
    const offset = { partition, offset: String(next), metadata }
    await this.noticing(async () => {
      await this.payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [offset] }] })
    })
    if (!this.over) this.payload.resolveOffset(String(next - 1))
  }

  private async noticing(ask: () => Promise<void>): Promise<void> {
    try {
      await ask()
    } catch (cause) {
      if (saysNotOurs(cause)) this.lost = cause
      throw cause
    }
  }
}

async function whileBeating(ours: OurBatch, { heartbeatMs }: Session, work: () => Promise<void>): Promise<void> {
  const beat = setInterval(() => void ours.heartbeat().catch(() => undefined), heartbeatMs)
  try {
    await work()
  } finally {
    clearInterval(beat)
  }
}

const NOT_OURS = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
])

const saysNotOurs = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'type' in cause && NOT_OURS.has(String(cause.type))

/** kafkajs ends for good on a TypeError and the like; as an error of its own kind it is tried again. */
const again = (cause: unknown): Error =>
  cause instanceof kafkajs.KafkaJSError
    ? cause
    : new kafkajs.KafkaJSError(cause instanceof Error ? cause : new Error('a batch failed', { cause }), {
        retriable: true,
      })
