import { createRequire } from 'node:module'
import type { Kafka, KafkaMessage } from 'kafkajs'
import type { LogRecord } from '../../ports/log.ts'
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
    for (let next = Math.max(from, await offsetAt(true)); next < end;) {
      const batch = await fetchBatch(cluster, { topic, partition }, next)
      const records = batch.messages.map((message) => recordOf(topic, partition, message))
      const wanted = records.filter(({ offset }) => offset < end)
      if (wanted.length > 0) yield wanted
      next = Math.max(next + 1, after(batch))
    }
  } finally {
    await cluster.disconnect().catch(() => undefined)
  }
}

async function fetchBatch(
  cluster: Cluster,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  from: number,
): Promise<FetchedBatch> {
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
  return new FetchedBatch(topic, String(from), found)
}

/** The offset after all that was fetched: the last records of a batch may be gone (compaction) or be markers. */
const after = ({ rawMessages }: FetchedBatch): number =>
  rawMessages.reduce((most, { offset, batchContext }) => {
    const endOfBatch = batchContext === undefined ? 0 : Number(batchContext.firstOffset) + batchContext.lastOffsetDelta
    return Math.max(most, Number(offset) + 1, endOfBatch + 1)
  }, 0)
