import { createRequire } from 'node:module'
import type { Kafka, KafkaMessage } from 'kafkajs'
import type { LogRecord, Place } from '../../ports/log.ts'
import { clusterOf, READ_COMMITTED, type Cluster, type RawMessage } from './cluster.ts'
import { recordOf } from './records.ts'

interface FetchedBatch {
  readonly rawMessages: readonly RawMessage[]
  /** Without those of aborted transactions and without transaction markers. */
  readonly messages: readonly KafkaMessage[]
}

const FetchedBatch = createRequire(import.meta.url)('kafkajs/src/consumer/batch') as new (
  topic: string,
  from: string,
  partition: unknown,
) => FetchedBatch

const FETCH_BYTES = 4 * 1024 * 1024
/** Empty answers in a row before a read fails; the broker waits a second before each. */
const MOST_EMPTY = 10

/**
 * The committed records of one partition from `from` to its end as it is now, without a consumer group. The end is the
 * last stable offset: what an open transaction has written does not count yet.
 */
export async function* readPartition(
  client: Kafka,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  from: number,
): AsyncIterable<readonly LogRecord[]> {
  const cluster = clusterOf(client)
  try {
    await cluster.connect()
    await cluster.addTargetTopic(topic)
    await cluster.refreshMetadataIfNecessary()
    const offsetAt = async (fromBeginning: boolean) => {
      const [found] = await cluster.fetchTopicsOffset([{ topic, partitions: [{ partition }], fromBeginning }])
      return Number(found?.partitions[0]?.offset ?? 0)
    }
    const end = await offsetAt(false)
    yield* fetchUpTo(cluster, { topic, partition }, { from: Math.max(from, await offsetAt(true)), end })
  } finally {
    await cluster.disconnect().catch(() => undefined)
  }
}

interface Range {
  readonly from: number
  readonly end: number
}

/** Fetches every record of a range of offsets, however the broker divides it. */
export async function* fetchUpTo(
  cluster: Pick<Cluster, 'findLeaderForPartitions' | 'findBroker' | 'refreshMetadata'>,
  place: Omit<Place, 'offset'>,
  { from, end }: Range,
): AsyncIterable<readonly LogRecord[]> {
  let empty = 0
  for (let next = from; next < end;) {
    const batch = await fetchBatch(cluster, place, next)
    const records = batch.messages.map((message) => recordOf(place.topic, place.partition, message))
    const found = records.filter(({ offset }) => offset < end)
    if (found.length > 0) yield found
    const read = Math.max(next, after(batch))
    if (read > next || batch.isGap) {
      next = Math.max(next + 1, read)
      empty = 0
      continue
    }
    // a leader that does not know yet what the last one had: nothing is skipped for that
    empty += 1
    if (empty === MOST_EMPTY) throw new Error(`${place.topic} ${place.partition} ends at ${next}, before ${end}`)
    await cluster.refreshMetadata()
  }
}

interface Fetched extends Pick<FetchedBatch, 'rawMessages' | 'messages'> {
  /** The broker has stable offsets behind this one, and no record here: compaction took it. */
  readonly isGap: boolean
}

async function fetchBatch(
  cluster: Pick<Cluster, 'findLeaderForPartitions' | 'findBroker'>,
  { topic, partition }: Omit<Place, 'offset'>,
  from: number,
): Promise<Fetched> {
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
  if (found === undefined) throw new Error(`the broker said nothing about ${topic} ${partition}`)
  const { rawMessages, messages } = new FetchedBatch(topic, String(from), found)
  return { rawMessages, messages, isGap: rawMessages.length === 0 && Number(found.lastStableOffset ?? -1) > from }
}

/** The offset after all that was fetched: the last records of a batch may be gone (compaction) or be markers. */
const after = ({ rawMessages }: Pick<FetchedBatch, 'rawMessages'>): number =>
  rawMessages.reduce((most, { offset, batchContext }) => {
    const endOfBatch = batchContext === undefined ? 0 : Number(batchContext.firstOffset) + batchContext.lastOffsetDelta
    return Math.max(most, Number(offset) + 1, endOfBatch + 1)
  }, 0)
