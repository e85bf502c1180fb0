import { createRequire } from 'node:module'
import type { KafkaMessage } from 'kafkajs'
import { isFiller, type LogRecord, type Place } from '../../ports/log.ts'
import { READ_COMMITTED, type KafkaCluster, type RawMessage } from './cluster.ts'
import { recordOf } from './records.ts'

interface FetchedBatch {
  readonly rawMessages: readonly RawMessage[]
  /** Without records of aborted transactions and without transaction markers. */
  readonly messages: readonly KafkaMessage[]
}

const FetchedBatch = createRequire(import.meta.url)('kafkajs/src/consumer/batch') as new (
  topic: string,
  from: string,
  partition: unknown,
) => FetchedBatch

/** Compressed. */
const FETCH_BYTES = 2 * 1024 * 1024
/** Consecutive empty responses before a read fails. The broker waits one second before each. */
const MOST_EMPTY = 10

type PartitionOf = Omit<Place, 'offset'>

/** How long an idle connection is kept, and the maximum age of its metadata. */
const IDLE_MS = 30_000
/** Maximum number of idle connections. */
const MOST_IDLE = 8

interface Idle {
  readonly topic: string
  readonly cluster: KafkaCluster
  readonly timer: NodeJS.Timeout
}

/**
 * Reads partitions without a consumer group. A connection serves one read at a time, because the broker processes its
 * requests in order. It is then reused for the same topic: a new connection costs a TLS and SASL handshake and the
 * metadata. It is not reused for other topics, because kafkajs requests metadata for every topic it has served, and
 * retries for half a minute if one was deleted.
 */
export class KafkaReaders {
  private readonly newCluster: () => KafkaCluster
  private readonly idle: Idle[] = []
  private isClosed = false

  constructor(newCluster: () => KafkaCluster) {
    this.newCluster = newCluster
  }

  /**
   * Reads the committed records of one partition from `from` up to its current end. The end is the last stable offset,
   * so records of open transactions are not included.
   */
  async *read(place: PartitionOf, from: number): AsyncIterable<readonly LogRecord[]> {
    const { cluster, range } = await this.ready(place, from)
    let isSound = true
    try {
      yield* fetchUpTo(cluster, place, range)
    } catch (cause) {
      isSound = false
      throw cause
    } finally {
      if (isSound) this.keep(place.topic, cluster)
      else void disconnect(cluster)
    }
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.idle.splice(0).map(this.drop))
  }

  /** Returns a reused or new connection and the offset range to read. Replaces a reused connection that has died. */
  private async ready(place: PartitionOf, from: number) {
    const kept = this.taken(place.topic)
    if (kept !== undefined) {
      clearTimeout(kept.timer)
      try {
        return { cluster: kept.cluster, range: await rangeOf(kept.cluster, place, from) }
      } catch {
        void disconnect(kept.cluster)
      }
    }
    const cluster = this.newCluster()
    try {
      await cluster.connect()
      return { cluster, range: await rangeOf(cluster, place, from) }
    } catch (cause) {
      void disconnect(cluster)
      throw cause
    }
  }

  private taken(topic: string): Idle | undefined {
    const at = this.idle.findLastIndex((one) => one.topic === topic)
    return at === -1 ? undefined : this.idle.splice(at, 1)[0]
  }

  private keep(topic: string, cluster: KafkaCluster): void {
    if (this.isClosed || this.idle.length >= MOST_IDLE) {
      void disconnect(cluster)
      return
    }
    const timer = setTimeout(() => {
      const at = this.idle.findIndex((one) => one.cluster === cluster)
      void Promise.all(this.idle.splice(at, 1).map(this.drop))
    }, IDLE_MS)
    this.idle.push({ topic, cluster, timer: timer.unref() })
  }

  private readonly drop = async ({ cluster, timer }: Idle): Promise<void> => {
    clearTimeout(timer)
    await disconnect(cluster)
  }
}

const disconnect = (cluster: KafkaCluster): Promise<void> => cluster.disconnect().catch(() => undefined)

async function rangeOf(cluster: KafkaCluster, { topic, partition }: PartitionOf, from: number): Promise<Range> {
  await cluster.addTargetTopic(topic)
  await cluster.refreshMetadataIfNecessary()
  const offsetAt = async (fromBeginning: boolean) => {
    const [found] = await cluster.fetchTopicsOffset([{ topic, partitions: [{ partition }], fromBeginning }])
    return Number(found?.partitions[0]?.offset ?? 0)
  }
  const end = await offsetAt(false)
  return { from: Math.max(from, await offsetAt(true)), end }
}

interface Range {
  readonly from: number
  readonly end: number
}

/** Fetches every record of an offset range, in as many fetches as needed. */
export async function* fetchUpTo(
  cluster: Pick<KafkaCluster, 'findLeaderForPartitions' | 'findBroker' | 'refreshMetadata'>,
  place: PartitionOf,
  { from, end }: Range,
): AsyncIterable<readonly LogRecord[]> {
  let empty = 0
  for (let next = from; next < end;) {
    const batch = await fetchBatch(cluster, place, next)
    const records = batch.messages.map((message) => recordOf(place.topic, place.partition, message))
    const found = records.filter((record) => record.offset < end && !isFiller(record))
    if (found.length > 0) yield found
    const read = Math.max(next, after(batch))
    if (read > next || batch.isGap) {
      next = Math.max(next + 1, read)
      empty = 0
      continue
    }
    // a new leader may not have all stable records yet; no offset is skipped because of that
    empty += 1
    if (empty === MOST_EMPTY) throw new Error(`${place.topic} ${place.partition} ends at ${next}, before ${end}`)
    await cluster.refreshMetadata()
  }
}

interface FetchedRecords extends Pick<FetchedBatch, 'rawMessages' | 'messages'> {
  /** No record at this offset, but the last stable offset is higher: compaction removed the records. */
  readonly isGap: boolean
}

async function fetchBatch(
  cluster: Pick<KafkaCluster, 'findLeaderForPartitions' | 'findBroker'>,
  { topic, partition }: PartitionOf,
  from: number,
): Promise<FetchedRecords> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
  if (nodeId === undefined) throw new Error(`${topic} ${partition} has no leader`)
  const broker = await cluster.findBroker({ nodeId })
  const { responses } = await broker.fetch({
    isolationLevel: READ_COMMITTED,
    maxWaitTime: 1000,
    minBytes: 1,
    maxBytes: FETCH_BYTES,
    topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes: FETCH_BYTES }] }],
  })
  const found = responses[0]?.partitions[0]
  if (found === undefined) throw new Error(`the broker returned nothing about ${topic} ${partition}`)
  const { rawMessages, messages } = new FetchedBatch(topic, String(from), found)
  return { rawMessages, messages, isGap: rawMessages.length === 0 && Number(found.lastStableOffset ?? -1) > from }
}

/** The offset after everything fetched. The last records of a batch may be compacted away or be transaction markers. */
const after = ({ rawMessages }: Pick<FetchedBatch, 'rawMessages'>): number =>
  rawMessages.reduce((most, { offset, batchContext }) => {
    const endOfBatch = batchContext === undefined ? 0 : Number(batchContext.firstOffset) + batchContext.lastOffsetDelta
    return Math.max(most, Number(offset) + 1, endOfBatch + 1)
  }, 0)
