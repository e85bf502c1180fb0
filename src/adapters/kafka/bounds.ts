import type { Kafka } from 'kafkajs'
import { clusterOf, type KafkaCluster, type TopicOffsets } from './cluster.ts'
import { onceReady } from './broker-errors.ts'

export type OffsetBound = 'start' | 'end'

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
  const found = new Map((await cluster.fetchTopicsOffset(waiting)).map((one) => [one.topic, inOrder(one)]))
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

const inOrder = ({ partitions }: TopicOffsets): readonly number[] =>
  [...partitions].sort((a, b) => a.partition - b.partition).map(({ offset }) => Number(offset))
