import kafkajs, { type Consumer as KafkaConsumer, type EachBatchPayload, type Kafka } from 'kafkajs'
import { setTimeout } from 'node:timers/promises'
import { groupBy } from '../../domain/group-by.ts'
import type { BatchHandler, Consumer, Subscription } from '../../ports/log.ts'
import { sharedRuns } from '../../ports/shared-runs.ts'
import { watchAssignments } from './assignments.ts'
import { coPartitionAssigner, standbysIn } from './co-partition.ts'
import { INITIAL_RETRY_MS } from './client.ts'
import type { Heartbeats } from './heartbeats.ts'
import { AssignedBatch, type PendingCommit } from './assigned-batch.ts'
import { retriable, isOutage } from './broker-errors.ts'
import type { Session } from './session.ts'

const REBALANCE_TIMEOUT_MS = 30_000
/**
 * Limits of a response as sent, compressed. News unpacks to twice as much, texts that repeat themselves to forty times:
 * 160 MB for the largest response.
 */
const FETCHED = { maxBytesPerPartition: 1024 * 1024, maxBytes: 4 * 1024 * 1024 }
type ConsumerMembership = Subscription & Session & { readonly heartbeats: Heartbeats }

/** The last assignment of a member, which it claims in the next rebalance. */
interface MemberShare {
  owns: readonly number[]
  /** Milliseconds since 1970. */
  joined: number
}

/** Consumes until stopped. Pauses while the broker is unavailable. */
export async function kafkaConsumer(
  client: Kafka,
  subscription: ConsumerMembership,
  handle: BatchHandler,
): Promise<Consumer> {
  const share: MemberShare = { owns: [], joined: 0 }
  const { standbys } = subscription
  if (standbys !== undefined) watchAssignments(client, (assignment) => standbys.onAssigned(standbysIn(assignment)))
  const consumer = client.consumer({
    groupId: subscription.group,
    partitionAssigners: [
      coPartitionAssigner({
        owns: () => share.owns,
        joined: () => share.joined,
        copies: () => standbys?.copies() ?? [],
        holds: () => standbys?.holds() ?? [],
        replicas: standbys?.replicas ?? 0,
      }),
    ],
    sessionTimeout: subscription.sessionTimeoutMs,
    heartbeatInterval: subscription.heartbeatMs,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    minBytes: subscription.minBytes,
    maxWaitTimeInMs: subscription.maxWaitMs,
    ...FETCHED,
    readUncommitted: false,
    allowAutoTopicCreation: false,
    // after 30 attempts it reconnects, without limit
    retry: { retries: 30, initialRetryTime: INITIAL_RETRY_MS, maxRetryTime: 1000, restartOnFailure: async () => true },
  })
  const member = new ConsumerMember(consumer, { ...subscription, share }, handle)
  await member.start()
  return member
}

const COMMITS_AT_ONCE = 1_000

interface RetriedBatch {
  readonly partition: number
  /** Resolves when the batch has ended, also with an error. */
  readonly settled: Promise<void>
}

class ConsumerMember implements Consumer {
  private readonly consumer: KafkaConsumer
  private readonly subscription: ConsumerMembership & { readonly share: MemberShare }
  private readonly handle: BatchHandler
  /** Incremented whenever the assignment may have changed. */
  private generation = 0
  /** The assignment of a generation, once it is reported. */
  private reported: { readonly generation: number; readonly done: Promise<void> } | null = null
  private assigned: { readonly topic: string; readonly partition: number }[] = []
  private lastAlive = 0
  /** The generation of the consumer group; `null` until a heartbeat has returned it. */
  private groupGeneration: number | null = null
  private stopping = false
  /** Batches that are retried while other partitions continue. */
  private readonly retrying = new Set<RetriedBatch>()
  /** Batches that end at the same time commit with one request. */
  private readonly commit = sharedRuns((_, commits: readonly PendingCommit[]) => this.commitAll(commits), {
    most: COMMITS_AT_ONCE,
  })

  constructor(
    consumer: KafkaConsumer,
    subscription: ConsumerMembership & { readonly share: MemberShare },
    handle: BatchHandler,
  ) {
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
      partitionsConsumedConcurrently: this.subscription.concurrency ?? 1,
      eachBatch: (payload) => this.eachBatch(payload),
    })
  }

  /** Reconnects after kafkajs has disconnected and stopped. A failure here counts as another crash. */
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
    if (isOutage(cause)) void this.runAgain()
    else this.subscription.onCrash(new Error(`${this.subscription.group} has ended`, { cause }))
  }

  async stop(): Promise<void> {
    this.stopping = true
    this.subscription.heartbeats.left(this.subscription.group)
    await Promise.all([...this.retrying].map(({ settled }) => settled))
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
      const owns = [...new Set(this.assigned.map(({ partition }) => partition))]
      Object.assign(this.subscription.share, { owns, joined: Math.floor(performance.timeOrigin + performance.now()) })
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
   * kafkajs fetches nothing more from a broker until the current batches from it are done. So if a batch calls `giveWay`,
   * this handler returns with the partition paused and its offsets unresolved, and the batch is retried in the
   * background.
   */
  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { partition } = payload.batch
    // fetched before the partition was paused; it will be fetched again
    if (this.isRetrying(partition)) {
      this.pause(partition)
      return
    }
    const { generation } = this
    const assigned = new AssignedBatch(payload, {
      generation,
      isAlive: () => this.isAlive(),
      commit: (pending, alone) => (alone ? this.commitAll([pending]) : this.commit(String(generation), pending)),
    })
    const handled = this.handled(payload, assigned)
    await Promise.race([handled, assigned.gaveWay.then(() => this.retryBeside(partition, handled))])
  }

  /** Not `consumer.commitOffsets`: on a stopping consumer it silently commits nothing. */
  private async commitAll(commits: readonly PendingCommit[]): Promise<void> {
    // kafkajs would commit for the new generation, in which the partitions may belong to others
    if (commits.some(({ generation }) => generation !== this.generation))
      throw new Error(`${this.subscription.group} is rebalancing`)
    const topics = [...groupBy(commits, ({ payload }) => payload.batch.topic)].map(([topic, ofTopic]) => ({
      topic,
      partitions: ofTopic.map(({ payload: { batch }, next, metadata }) => {
        return { partition: batch.partition, offset: String(next), metadata }
      }),
    }))
    await commits[0]?.payload.commitOffsetsIfNecessary({ topics })
  }

  private async handled(payload: EachBatchPayload, assigned: AssignedBatch): Promise<void> {
    try {
      await this.reportAssigned(assigned)
      await this.handle(assigned.batch(() => this.generation))
      assigned.isHandled = true
      if (assigned.generation === this.generation) payload.resolveOffset(payload.batch.lastOffset())
    } catch (cause) {
      if (!this.stopping) throw retriable(assigned.lost ?? cause)
    }
  }

  private retryBeside(partition: number, handled: Promise<void>): void {
    this.pause(partition)
    // a lost batch is redelivered, here or to the new owner of the partition; the next heartbeat reports it
    const retried: RetriedBatch = {
      partition,
      settled: handled.catch(() => undefined).then(() => this.resume(retried)),
    }
    this.retrying.add(retried)
  }

  private isRetrying(partition: number): boolean {
    return [...this.retrying].some((retried) => retried.partition === partition)
  }

  /** When no batch of the partition is retried any more, in none of its topics. */
  private resume(retried: RetriedBatch): void {
    const { partition } = retried
    this.retrying.delete(retried)
    if (!this.stopping && !this.isRetrying(partition))
      ignoringNoSession(() => this.consumer.resume(this.placesOf(partition)))
  }

  private pause(partition: number): void {
    ignoringNoSession(() => this.consumer.pause(this.placesOf(partition)))
  }

  /** Stage state is per partition, across topics, so the partition is paused in all of them. */
  private placesOf(partition: number): { topic: string; partitions: number[] }[] {
    return this.subscription.topics.map((topic) => ({ topic, partitions: [partition] }))
  }

  /** Once per generation, before its first batch. After a failure the next batch repeats it. */
  private async reportAssigned(assigned: AssignedBatch): Promise<void> {
    const { generation } = this
    const reported =
      this.reported?.generation === generation ? this.reported : { generation, done: this.report(assigned) }
    this.reported = reported
    try {
      await reported.done
    } catch (cause) {
      if (this.reported === reported) this.reported = null
      throw cause
    }
  }

  private async report(assigned: AssignedBatch): Promise<void> {
    await this.untilGenerationKnown(assigned)
    await withHeartbeats(assigned, this.subscription, async () => this.subscription.onAssigned?.(this.assigned))
  }

  /**
   * Sends heartbeats until one returns the group generation. The heartbeat thread needs it before any long operation
   * starts.
   */
  private async untilGenerationKnown(assigned: AssignedBatch): Promise<void> {
    const { heartbeatMs } = this.subscription
    await assigned.heartbeat()
    while (this.groupGeneration === null) {
      await setTimeout(heartbeatMs / 4)
      await assigned.heartbeat()
    }
  }

  /** A member without a successful heartbeat for a session timeout may have been replaced without knowing it. */
  private isAlive(): boolean {
    return performance.now() - this.lastAlive < this.subscription.sessionTimeoutMs
  }
}

/**
 * kafkajs throws between two group sessions (disconnected or reconnecting). That is ignored: a new session has nothing
 * paused.
 */
function ignoringNoSession(change: () => void): void {
  try {
    change()
  } catch (cause) {
    if (!(cause instanceof kafkajs.KafkaJSNonRetriableError)) throw cause
  }
}

async function withHeartbeats(
  assigned: AssignedBatch,
  { heartbeatMs }: Session,
  work: () => Promise<void>,
): Promise<void> {
  const beat = setInterval(() => void assigned.heartbeat().catch(() => undefined), heartbeatMs)
  try {
    await work()
  } finally {
    clearInterval(beat)
  }
}
