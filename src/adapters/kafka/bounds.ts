import type { Kafka } from 'kafkajs'
import { clusterOf, READ_UNCOMMITTED, type Cluster, type TopicOffsets } from './cluster.ts'
import { onceReady } from './once-ready.ts'

export type Bound = 'start' | 'end'

interface Question {
  readonly topic: string
  readonly bound: Bound
  readonly resolve: (offsets: readonly number[]) => void
  readonly reject: (cause: unknown) => void
}

/** New partitions and leaders are known this much later at most; kafkajs's admin asks for them each time. */
const METADATA_MS = 5_000

/**
 * Where the partitions of topics begin and end, over one connection that is made when first needed and anew after any error.
 * What is asked in one turn of the loop goes in one request: a stage asks about all that it reads before each decision.
 */
export class KafkaBounds {
  private readonly newClient: () => Kafka
  private current: Promise<Cluster> | null = null
  private waiting: Question[] = []

  constructor(newClient: () => Kafka) {
    this.newClient = newClient
  }

  /** By partition: the offset of the first record, or the one after the last. */
  async of(topic: string, bound: Bound): Promise<readonly number[]> {
    return await new Promise((resolve, reject) => {
      this.waiting.push({ topic, bound, resolve, reject })
      if (this.waiting.length === 1) queueMicrotask(() => this.askAll())
    })
  }

  async close(): Promise<void> {
    const last = this.current
    this.current = null
    await last?.then(async (cluster) => await cluster.disconnect()).catch(() => undefined)
  }

  private askAll(): void {
    const asked = this.waiting
    this.waiting = []
    for (const bound of ['start', 'end'] as const) {
      const questions = asked.filter((one) => one.bound === bound)
      if (questions.length > 0) void this.answer(questions, bound)
    }
  }

  /** A topic that cannot be asked about is no reason to leave the others without an answer. */
  private async answer(questions: readonly Question[], bound: Bound): Promise<void> {
    const topics = [...new Set(questions.map(({ topic }) => topic))]
    try {
      const found = await this.boundsOf(topics, bound)
      for (const { topic, resolve } of questions) resolve(found.get(topic) ?? [])
    } catch (cause) {
      await this.close()
      if (topics.length === 1) for (const { reject } of questions) reject(cause)
      else
        await Promise.all(
          topics.map(
            async (one) =>
              await this.answer(
                questions.filter((it) => it.topic === one),
                bound,
              ),
          ),
        )
    }
  }

  private async boundsOf(topics: readonly string[], bound: Bound): Promise<ReadonlyMap<string, readonly number[]>> {
    this.current ??= connected(this.newClient())
    const cluster = await this.current
    await onceReady(async () => await cluster.addMultipleTargetTopics(topics), UNKNOWN)
    await cluster.refreshMetadataIfNecessary()
    const found = await cluster.fetchTopicsOffset(
      topics.map((topic) => ({
        topic,
        partitions: cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId })),
        fromBeginning: bound === 'start',
      })),
    )
    return new Map(found.map((one) => [one.topic, inOrder(one)]))
  }
}

async function connected(client: Kafka): Promise<Cluster> {
  const cluster = clusterOf(client, { metadataMaxAge: METADATA_MS, isolationLevel: READ_UNCOMMITTED })
  await cluster.connect()
  return cluster
}

/** A topic that is just being made. */
const UNKNOWN = { types: new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']), looks: 50 }

const inOrder = ({ partitions }: TopicOffsets): readonly number[] =>
  [...partitions].sort((a, b) => a.partition - b.partition).map(({ offset }) => Number(offset))
