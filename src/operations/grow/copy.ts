import pMap from 'p-map'
import type { Codec, Log, LogRecord } from '../../ports/log.ts'
import { OffsetTaken, type Appender } from '../../ports/appender.ts'
import { GrownPartition } from './grown-partition.ts'
import { childrenOf, routingKeys, targetsOf, type GrownTopic } from './routes.ts'

export interface GrowCopyPorts {
  readonly from: Pick<Log, 'read' | 'ends' | 'partitionOf'>
  readonly to: Pick<Log, 'ends'>
  readonly codec: Pick<Codec, 'decode'>
  /** Each topic that is copied concurrently has its own appender. */
  readonly appender: () => Promise<Appender>
  /** Deletes a topic of the new generation in which a record has the wrong offset. */
  readonly discard: (topic: string) => Promise<void>
  /** Called with the number of offsets copied since the last call. */
  readonly onDone: (offsets: number) => void
}

const AT_ONCE = 4

/**
 * Copies what the new generation lacks, up to the present ends. May be called while records arrive, and again after an
 * interruption at any point: the new generation itself says how far it is copied.
 */
export async function copyTopics(ports: GrowCopyPorts, topics: readonly GrownTopic[]): Promise<void> {
  await pMap(topics, (topic) => copyTopic(ports, topic), { concurrency: AT_ONCE })
}

async function copyTopic(ports: GrowCopyPorts, grown: GrownTopic): Promise<void> {
  const ends = await ports.from.ends(grown.topic)
  const copied = await ports.to.ends(grown.topic)
  const appender = await ports.appender()
  try {
    for (const [partition, end] of ends.entries()) {
      const parts = childrenOf(partition, grown).map(
        (child) => new GrownPartition({ topic: grown.topic, partition: child }, copied[child] ?? 0, appender),
      )
      await copyPartition(ports, grown, { partition, end, parts })
    }
  } catch (cause) {
    if (cause instanceof OffsetTaken) await ports.discard(grown.topic)
    throw cause
  } finally {
    await appender.close()
  }
}

interface Division {
  readonly partition: number
  readonly end: number
  /** In the order of `childrenOf`. */
  readonly parts: readonly GrownPartition[]
}

async function copyPartition(
  { from, codec, onDone }: GrowCopyPorts,
  grown: GrownTopic,
  { partition, end, parts }: Division,
): Promise<void> {
  let next = Math.min(...parts.map((part) => part.end))
  if (next >= end) return
  let loggedAt = 0
  const fillTo = async (offset: number): Promise<void> => {
    for (const part of parts) {
      await part.fill(offset, loggedAt)
      await part.flush()
    }
    onDone(Math.max(0, offset - next))
    next = Math.max(next, offset)
  }
  const add = async (record: LogRecord): Promise<void> => {
    const keys = grown.from === grown.to ? null : await routingKeys(record, codec)
    const split = { ...grown, partitionOf: (key: string, partitions: number) => from.partitionOf(key, partitions) }
    for (const target of targetsOf(keys, partition, split)) {
      await parts[(target - partition) / grown.from]?.add(record, partition)
    }
  }
  for await (const records of from.read(grown.topic, partition, next)) {
    const chunk = records.filter(({ offset }) => offset < end)
    for (const record of chunk) await add(record)
    const last = chunk.at(-1)
    if (last === undefined) break
    loggedAt = last.loggedAt
    await fillTo(last.offset + 1)
  }
  await fillTo(end)
}

/** The offsets of each topic, and how many of them the new generation lacks. */
export async function copyProgress(
  { from, to }: Pick<GrowCopyPorts, 'from' | 'to'>,
  topics: readonly GrownTopic[],
): Promise<readonly (GrownTopic & { readonly offsets: number; readonly left: number })[]> {
  return Promise.all(
    topics.map(async (grown) => {
      const [ends, copied] = [await from.ends(grown.topic), await to.ends(grown.topic)]
      const left = ends.map((end, partition) => {
        const reached = childrenOf(partition, grown).map((child) => copied[child] ?? 0)
        return Math.max(0, end - Math.min(...reached))
      })
      return { ...grown, offsets: sum(ends), left: sum(left) }
    }),
  )
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
