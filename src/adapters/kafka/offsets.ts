import kafkajs, { type Admin, type Kafka } from 'kafkajs'
import { onceReady } from './broker-errors.ts'
import { clusterOf, type KafkaCluster } from './cluster.ts'

const UNSAID = 'the log did not say its offsets'

interface Committed {
  readonly offset: number | null
  readonly note: string | null
}

/** Reads offsets over connections that are opened on first use and again after an error. */
export class KafkaOffsets {
  private readonly newClient: () => Kafka
  private readonly bounds: KafkaBounds
  private current: Promise<Admin> | null = null

  constructor(newClient: () => Kafka) {
    this.newClient = newClient
    this.bounds = new KafkaBounds(newClient)
  }

  /** By partition. */
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

  /** By partition; the broker says -1 where nothing was committed, and -2 where a reset left the word "earliest". */
  async committed(groupId: string, topic: string): Promise<readonly Committed[]> {
    return this.withAdmin(async (admin) => {
      const [found] = await onceReady(() => admin.fetchOffsets({ groupId, topics: [topic] }), UNCOORDINATED)
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

  /** Where the topic begins or ends, by partition. */
  async bound(topic: string, bound: OffsetBound): Promise<readonly number[]> {
    try {
      return await this.bounds.of(topic, bound)
    } catch (cause) {
      throw new Error(UNSAID, { cause })
    }
  }

  private async withAdmin<Answer>(ask: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    this.current ??= this.connect()
    try {
      return await ask(await this.current)
    } catch (cause) {
      await this.closeAdmin()
      throw new Error(UNSAID, { cause })
    }
  }

  private async connect(): Promise<Admin> {
    const admin = this.newClient().admin()
    await admin.connect()
    return admin
  }
}

/** A new or restarted broker briefly reports another coordinator for a group. */
const UNCOORDINATED = {
  types: new Set(['NOT_COORDINATOR_FOR_GROUP', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'GROUP_LOAD_IN_PROGRESS']),
  looks: 50,
}

/** A group that does not exist counts as deleted. */
const isUnknownGroup = (cause: unknown): boolean =>
  cause instanceof kafkajs.KafkaJSDeleteGroupsError &&
  cause.groups.every(({ error }) => error?.type === 'GROUP_ID_NOT_FOUND')

type OffsetBound = 'start' | 'end'

interface KafkaQuestion {
  readonly topic: string
  readonly bound: OffsetBound
  readonly resolve: (offsets: readonly number[]) => void
  readonly reject: (cause: unknown) => void
}

/** New partitions and leaders are noticed after this long at most; kafkajs's admin would fetch them each time. */
const METADATA_MS = 5_000

/** For a topic that is being created. */
const UNKNOWN = { types: new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']), looks: 50 }

/**
 * Where the partitions of topics begin and end, over one connection that is made when first needed and again after any error.
 * What is asked while a request is out goes in the next one: a stage asks about all that it reads before each decision.
 */
export class KafkaBounds {
  private readonly newClient: () => Kafka
  private current: Promise<KafkaCluster> | null = null
  private waiting: KafkaQuestion[] = []
  private isFetching = false
  private isClosed = false

  constructor(newClient: () => Kafka) {
    this.newClient = newClient
  }

  /** By partition: the offset of the first record, or the one after the last that readers may see (the last stable offset). */
  async of(topic: string, bound: OffsetBound): Promise<readonly number[]> {
    return onceReady(() => this.answered(topic, bound), UNKNOWN)
  }

  /** Closes for good: waiting requests are dropped, since they would open a connection that is never closed. */
  async close(): Promise<void> {
    this.isClosed = true
    const last = this.current
    this.current = null
    if (last !== null) await dispose(last)
  }

  private async answered(topic: string, bound: OffsetBound): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ topic, bound, resolve, reject })
      if (this.isFetching) return
      this.isFetching = true
      queueMicrotask(() => void this.askAll())
    })
  }

  /** One request after the other: kafkajs's metadata of one question is not to overwrite those of another. */
  private async askAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const waiting = this.waiting.splice(0)
      await this.answer(waiting.filter(({ bound }) => bound === 'start'))
      await this.answer(waiting.filter(({ bound }) => bound === 'end'))
    }
    this.isFetching = false
  }

  /** A topic that cannot be asked about is no reason to leave the others without an answer. */
  private async answer(questions: readonly KafkaQuestion[]): Promise<void> {
    const topics = [...new Set(questions.map(({ topic }) => topic))]
    const [first] = questions
    if (first === undefined) return
    try {
      const found = await this.connected((cluster) => boundsOf(cluster, topics, first.bound))
      questions.forEach(({ topic, resolve }) => resolve(found.get(topic) ?? []))
    } catch (cause) {
      if (topics.length === 1 || !isOfTopics(cause)) questions.forEach(({ reject }) => reject(cause))
      else for (const one of topics) await this.answer(questions.filter(({ topic }) => topic === one))
    }
  }

  private async connected<Answer>(ask: (cluster: KafkaCluster) => Promise<Answer>): Promise<Answer> {
    if (this.isClosed) throw new Error('the log was closed')
    this.current ??= connect(this.newClient())
    const mine = this.current
    try {
      return await ask(await mine)
    } catch (cause) {
      if (this.current === mine) this.current = null
      throw cause
    } finally {
      if (this.current !== mine) void dispose(mine) // also where it was closed meanwhile: a question connects it again
    }
  }
}

async function connect(client: Kafka): Promise<KafkaCluster> {
  const cluster = clusterOf(client, METADATA_MS)
  await cluster.connect()
  return cluster
}

async function dispose(connecting: Promise<KafkaCluster>): Promise<void> {
  await connecting.then((cluster) => cluster.disconnect()).catch(() => undefined)
}

/** Throws where a topic has no partition that is known: that is no answer, and nobody may take it for an empty topic. */
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
}

/** What the log says against a topic. A connection that fails would fail for each of them, one wait after the other. */
const isOfTopics = (cause: unknown): boolean =>
  cause instanceof UnknownPartitions || (cause instanceof Error && 'type' in cause)

const inOrder = <Of extends { readonly partition: number }>(partitions: readonly Of[]): readonly Of[] =>
  partitions.toSorted((a, b) => a.partition - b.partition)
