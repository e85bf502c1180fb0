import kafkajs, { type Admin, type Kafka } from 'kafkajs'
import { onceReady } from './broker-errors.ts'
import type { KafkaCluster } from './cluster.ts'
import { KafkaConnection } from './connection.ts'

const NO_OFFSETS = 'the log did not say its offsets'

interface Committed {
  readonly offset: number | null
  readonly note: string | null
}

/** Reads offsets. Connects on first use and reconnects after an error. */
export class KafkaOffsets {
  private readonly newClient: () => Kafka
  private readonly bounds: KafkaBounds
  private current: Promise<Admin> | null = null

  constructor(newClient: () => Kafka) {
    this.newClient = newClient
    this.bounds = new KafkaBounds(newClient)
  }

  /** Offsets by partition. */
  async since(topic: string, time: number): Promise<readonly number[]> {
    return this.withAdmin(async (admin) => {
      const offsets = await admin.fetchTopicOffsetsByTimestamp(topic, time)
      return inOrder(offsets).map(({ offset }) => Number(offset))
    })
  }

  async forget(groupId: string): Promise<void> {
    await this.withAdmin(async (admin) => {
      await admin.deleteGroups([groupId]).catch((cause: unknown) => {
        if (!isUnknownGroup(cause)) throw cause
      })
    })
  }

  /**
   * By partition. The broker returns -1 if nothing was committed, and -2 after a reset to "earliest"; both become
   * `null`.
   */
  async committed(groupId: string, topic: string): Promise<readonly Committed[]> {
    return this.withAdmin(async (admin) => {
      const [found] = await onceReady(() => admin.fetchOffsets({ groupId, topics: [topic] }), NO_COORDINATOR)
      return inOrder(found?.partitions ?? []).map(({ offset, metadata }) => ({
        offset: Number(offset) < 0 ? null : Number(offset),
        note: metadata === '' ? null : metadata,
      }))
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.bounds.close(), this.closeAdmin()])
  }

  private async closeAdmin(): Promise<void> {
    const last = this.current
    this.current = null
    await last?.then((admin) => admin.disconnect()).catch(() => undefined)
  }

  /** The start or end offset of each partition. */
  async bound(topic: string, bound: OffsetBound): Promise<readonly number[]> {
    try {
      return await this.bounds.of(topic, bound)
    } catch (cause) {
      throw new Error(NO_OFFSETS, { cause })
    }
  }

  private async withAdmin<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    this.current ??= this.connect()
    try {
      return await ask(await this.current)
    } catch (cause) {
      await this.closeAdmin()
      throw new Error(NO_OFFSETS, { cause })
    }
  }

  private async connect(): Promise<Admin> {
    const admin = this.newClient().admin()
    await admin.connect()
    return admin
  }
}

/** A new or restarted broker may briefly not know the group coordinator. */
const NO_COORDINATOR = {
  types: new Set(['NOT_COORDINATOR_FOR_GROUP', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS']),
  attempts: 50,
}

/** A group that does not exist counts as deleted. */
const isUnknownGroup = (cause: unknown): boolean =>
  cause instanceof kafkajs.KafkaJSDeleteGroupsError &&
  cause.groups.every(({ error }) => error?.type === 'GROUP_ID_NOT_FOUND')

type OffsetBound = 'start' | 'end'

interface OffsetRequest {
  readonly topic: string
  readonly bound: OffsetBound
  readonly resolve: (offsets: readonly number[]) => void
  readonly reject: (cause: unknown) => void
}

/** Errors of a topic that is still being created, or whose metadata is out of date. */
const NOT_CREATED = {
  types: new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION']),
  attempts: 50,
}

/**
 * Start and end offsets of partitions, over one connection that is opened on first use and again after an error. Calls
 * during a request are batched into the next one, because a stage requests the end offsets of all its inputs before
 * each decision.
 */
export class KafkaBounds {
  private readonly connection: KafkaConnection
  private waiting: OffsetRequest[] = []
  private isFetching = false

  constructor(newClient: () => Kafka) {
    this.connection = new KafkaConnection(newClient)
  }

  /** By partition: the offset of the first record, or the last stable offset (the end for `read_committed` readers). */
  async of(topic: string, bound: OffsetBound): Promise<readonly number[]> {
    return onceReady(() => this.answered(topic, bound), NOT_CREATED)
  }

  /** Closes permanently. Waiting requests are dropped, because they would open a connection that is never closed. */
  async close(): Promise<void> {
    await this.connection.close()
  }

  private async answered(topic: string, bound: OffsetBound): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ topic, bound, resolve, reject })
      if (this.isFetching) return
      this.isFetching = true
      queueMicrotask(() => void this.askAll())
    })
  }

  /** Sends one request at a time: concurrent requests would overwrite each other's kafkajs metadata. */
  private async askAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const waiting = this.waiting.splice(0)
      await this.answer(waiting.filter(({ bound }) => bound === 'start'))
      await this.answer(waiting.filter(({ bound }) => bound === 'end'))
    }
    this.isFetching = false
  }

  /**
   * Answers one batch of requests. If it fails because of a topic, each topic is requested alone, so that the others
   * succeed.
   */
  private async answer(questions: readonly OffsetRequest[]): Promise<void> {
    const topics = [...new Set(questions.map(({ topic }) => topic))]
    const [first] = questions
    if (first === undefined) return
    try {
      const found = await this.connection.ask((cluster) => boundsOf(cluster, topics, first.bound))
      questions.forEach(({ topic, resolve }) => resolve(found.get(topic) ?? []))
    } catch (cause) {
      if (topics.length === 1 || !isOfTopics(cause)) questions.forEach(({ reject }) => reject(cause))
      else for (const one of topics) await this.answer(questions.filter(({ topic }) => topic === one))
    }
  }
}

/** Throws if the partitions of a topic are unknown, so that it is not mistaken for an empty topic. */
async function boundsOf(
  cluster: KafkaCluster,
  topics: readonly string[],
  bound: OffsetBound,
): Promise<ReadonlyMap<string, readonly number[]>> {
  await cluster.addMultipleTargetTopics(topics)
  await cluster.refreshMetadataIfNecessary()
  const waiting = topics.map((topic) => ({
    topic,
    partitions: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId })),
    fromBeginning: bound === 'start',
  }))
  const found = new Map(
    (await cluster.fetchTopicsOffset(waiting)).map((one) => [
      one.topic,
      inOrder(one.partitions).map(({ offset }) => Number(offset)),
    ]),
  )
  for (const { topic, partitions } of waiting) {
    if (partitions.length > 0 && found.get(topic)?.length === partitions.length) continue
    throw new UnknownPartitions(`the log does not know all partitions of ${topic}`)
  }
  return found
}

class UnknownPartitions extends Error {
  override readonly name = 'UnknownPartitions'
  /** While a topic is created, a broker may know the topic before its partitions. */
  readonly type = 'UNKNOWN_TOPIC_OR_PARTITION'
}

/**
 * Whether the error concerns a topic. Connection errors do not: they would repeat for each topic, one timeout after
 * another.
 */
const isOfTopics = (cause: unknown): boolean => cause instanceof Error && 'type' in cause

const inOrder = <Of extends { readonly partition: number }>(partitions: readonly Of[]): readonly Of[] =>
  partitions.toSorted((a, b) => a.partition - b.partition)
