import kafkajs, { type Consumer as KafkaConsumer, type EachBatchPayload, type Kafka } from 'kafkajs'
import { setTimeout } from 'node:timers/promises'
import type { Batch, BatchHandler, Consumer, Subscription } from '../../ports/log.ts'
import { coPartitionAssigner } from './co-partition.ts'
import { INITIAL_RETRY_MS } from './client.ts'
import type { Heartbeats } from './heartbeats.ts'
import { recordOf } from './records.ts'
import { again, mayComeBack, saysNotOurs } from './broker-errors.ts'
import type { Session } from './session.ts'

const REBALANCE_TIMEOUT_MS = 30_000
const MAX_BYTES_PER_PARTITION = 2 * 1024 * 1024
type ConsumerMembership = Subscription & Session & { readonly heartbeats: Heartbeats }

/** Consumes until stopped. A broker that is away pauses it for as long as it is away. */
export async function kafkaConsumer(
  client: Kafka,
  subscription: ConsumerMembership,
  handle: BatchHandler,
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
    // after 30 attempts it connects again, and it does so for ever
    retry: { retries: 30, initialRetryTime: INITIAL_RETRY_MS, maxRetryTime: 1000, restartOnFailure: async () => true },
  })
  const member = new ConsumerMember(consumer, subscription, handle)
  await member.start()
  return member
}

class ConsumerMember implements Consumer {
  private readonly consumer: KafkaConsumer
  private readonly subscription: ConsumerMembership
  private readonly handle: BatchHandler
  /** Raised whenever partitions may have changed hands. */
  private generation = 0
  private reportedGeneration = -1
  private assigned: { readonly topic: string; readonly partition: number }[] = []
  private lastAlive = 0
  /** That of the group, once a heartbeat has returned it. */
  private groupGeneration: number | null = null
  private stopping = false
  /** Partitions whose batch is being retried beside the others. */
  private readonly retrying = new Map<number, Promise<void>>()

  constructor(consumer: KafkaConsumer, subscription: ConsumerMembership, handle: BatchHandler) {
    this.consumer = consumer
    this.subscription = subscription
    this.handle = handle
  }

  async start(): Promise<void> {
    this.listen()
    try {
      await this.consumer.connect()
      await this.consumer.subscribe({ topics: [...this.subscription.topics], fromBeginning: true })
      await this.run()
    } catch (cause) {
      await this.consumer.disconnect().catch(() => undefined)
      throw new Error(`${this.subscription.group} cannot consume`, { cause })
    }
  }

  private async run(): Promise<void> {
    await this.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: (payload) => this.eachBatch(payload),
    })
  }

  /** kafkajs has disconnected, and would leave it at that. What then fails to run is a crash again. */
  private async runAgain(): Promise<void> {
    await setTimeout(INITIAL_RETRY_MS)
    try {
      if (!this.stopping) await this.consumer.connect()
      if (!this.stopping) await this.run()
    } catch (cause) {
      this.crashed(cause)
    }
    if (this.stopping) await this.consumer.disconnect().catch(() => undefined)
  }

  private crashed(cause: unknown): void {
    if (this.stopping) return
    if (mayComeBack(cause)) void this.runAgain()
    else this.subscription.onCrash(new Error(`${this.subscription.group} has ended`, { cause }))
  }

  async stop(): Promise<void> {
    this.stopping = true
    this.subscription.heartbeats.left(this.subscription.group)
    await Promise.all(this.retrying.values())
    await this.consumer.disconnect()
  }

  private listen(): void {
    const { GROUP_JOIN, REBALANCING, HEARTBEAT, CRASH } = this.consumer.events
    this.consumer.on(GROUP_JOIN, ({ payload }) => {
      this.generation += 1
      this.groupGeneration = null
      this.lastAlive = performance.now()
      this.assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      )
      this.subscription.onJoined?.(this.assigned)
    })
    this.consumer.on(HEARTBEAT, ({ payload: { memberId, groupGenerationId } }) => {
      this.lastAlive = performance.now()
      if (this.groupGeneration === groupGenerationId) return
      this.groupGeneration = groupGenerationId
      this.subscription.heartbeats.joined(this.subscription.group, { memberId, groupGenerationId })
    })
    this.consumer.on(REBALANCING, () => {
      this.generation += 1
    })
    this.consumer.on(CRASH, ({ payload }) => {
      this.generation += 1
      if (!payload.restart) this.crashed(payload.error)
    })
  }

  /**
   * kafkajs fetches nothing from a broker while a batch from it is in hand. So a batch that gives way leaves this handler
   * with its partition paused and its offsets unresolved, and goes on beside the others.
   */
  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { partition } = payload.batch
    // fetched before the partition was paused: it is fetched again
    if (this.retrying.has(partition)) {
      this.pause(partition)
      return
    }
    const ours = new OurBatch(payload, () => this.isAlive(), this.generation)
    const handled = this.handled(payload, ours)
    await Promise.race([handled, ours.gaveWay.then(() => this.retryBeside(partition, handled))])
  }

  private async handled(payload: EachBatchPayload, ours: OurBatch): Promise<void> {
    try {
      await this.reportAssigned(ours)
      await this.handle(ours.batch(() => this.generation))
      ours.over = true
      if (ours.born === this.generation) payload.resolveOffset(payload.batch.lastOffset())
    } catch (cause) {
      if (!this.stopping) throw again(ours.lost ?? cause)
    }
  }

  private retryBeside(partition: number, handled: Promise<void>): void {
    this.pause(partition)
    // a batch that was lost is delivered again, here or to the partition's new owner: the group's heartbeats show it
    const settled = handled.catch(() => undefined).then(() => this.resume(partition))
    this.retrying.set(partition, settled)
  }

  private resume(partition: number): void {
    this.retrying.delete(partition)
    if (!this.stopping) inAGroup(() => this.consumer.resume(this.placesOf(partition)))
  }

  private pause(partition: number): void {
    inAGroup(() => this.consumer.pause(this.placesOf(partition)))
  }

  /** A memory is one of a partition, whatever the topic: it is paused in all of them. */
  private placesOf(partition: number): { topic: string; partitions: number[] }[] {
    return this.subscription.topics.map((topic) => ({ topic, partitions: [partition] }))
  }

  private async reportAssigned(ours: OurBatch): Promise<void> {
    if (this.reportedGeneration === this.generation) return
    const generation = this.generation
    await this.untilBeaten(ours)
    await whileBeating(ours, this.subscription, async () => this.subscription.onAssigned?.(this.assigned))
    this.reportedGeneration = generation
  }

  /** Before anything that may take long: only a heartbeat returns the generation with which the thread can beat for us. */
  private async untilBeaten(ours: OurBatch): Promise<void> {
    const { heartbeatMs } = this.subscription
    await ours.heartbeat()
    while (this.groupGeneration === null) {
      await setTimeout(heartbeatMs / 4)
      await ours.heartbeat()
    }
  }

  /** A member that has not been heard for a session may have been replaced without knowing it. */
  private isAlive(): boolean {
    return performance.now() - this.lastAlive < this.subscription.sessionTimeoutMs
  }
}

/** A batch as long as it is ours. */
class OurBatch {
  /** The error that showed that it is no longer ours. */
  lost: unknown = null
  /** Read to its end: a commit moves what a restart reads from, and not where we go on. */
  over = false
  /** Resolves when others may go on while it is retried. */
  readonly gaveWay: Promise<void>
  readonly born: number
  private readonly payload: EachBatchPayload
  private readonly isAlive: () => boolean
  private giveWay: () => void = () => undefined

  constructor(payload: EachBatchPayload, isAlive: () => boolean, born: number) {
    this.payload = payload
    this.isAlive = isAlive
    this.born = born
    this.gaveWay = new Promise((resolve) => {
      this.giveWay = resolve
    })
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
      heartbeat: () => this.heartbeat(),
      commit: (next, note = '') => this.commit(next, note),
      isStale: () => this.lost !== null || generation() !== this.born || !this.isAlive(),
      giveWay: () => this.giveWay(),
    }
  }

  heartbeat(): Promise<void> {
    return this.noticing(() => this.payload.heartbeat())
  }

  /** Not consumer.commitOffsets: once the consumer stops, that one silently commits nothing. */
  private async commit(next: number, metadata: string): Promise<void> {
    const { topic, partition } = this.payload.batch
    const offset = { partition, offset: String(next), metadata }
    await this.noticing(() => this.payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [offset] }] }))
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

/** kafkajs throws where it is between two groups (disconnected, or not connected again): a new one has nothing paused. */
function inAGroup(change: () => void): void {
  try {
    change()
  } catch (cause) {
    if (!(cause instanceof kafkajs.KafkaJSNonRetriableError)) throw cause
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
