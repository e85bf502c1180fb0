import { storiesEnriched } from '../../events/discourse.ts'
import { isStateTopic } from '../../events/topic.ts'
import type { Codec, LogRecord } from '../../ports/log.ts'
import { changedMemory } from '../../stages/changed/changelog.ts'

/** How a topic grows: every partition is divided into several, or copied if the numbers are equal. */
export interface GrownTopic {
  readonly topic: string
  readonly from: number
  readonly to: number
}

/** The partitions that a partition is divided into. A key's partitions before and after differ by a multiple of `from`. */
export const childrenOf = (partition: number, { from, to }: Pick<GrownTopic, 'from' | 'to'>): readonly number[] =>
  Array.from({ length: to / from }, (_, i) => partition + i * from)

/**
 * The keys whose partitions a record belongs to; `null`: to all. Most topics are partitioned by key. The topics that a
 * stateful stage writes are partitioned by the inputs of the stage, whatever the key.
 */
export async function routingKeys(
  { topic, key, value }: Pick<LogRecord, 'topic' | 'key' | 'value'>,
  codec: Pick<Codec, 'decode'>,
): Promise<readonly string[] | null> {
  if (key === null) return []
  if (topic === storiesEnriched.name) return namespaceOfStory(value, codec)
  if (topic === changedMemory.name) return keysOfChanged(key)
  return [isStateTopic(topic) ? namespaceOf(key) : key]
}

/** The key of a story and platform does not name the namespace. */
async function namespaceOfStory(value: Buffer | null, codec: Pick<Codec, 'decode'>): Promise<readonly string[] | null> {
  if (value === null) return null
  const decoded = await codec.decode(storiesEnriched, value)
  return decoded.kind === 'event' ? [decoded.event.namespace] : []
}

/**
 * The stage `changed` knows an article in the partition of its id, where it is scored, and in that of its namespace,
 * where it is in a story. Where both were one partition, both parts need it.
 */
function keysOfChanged(key: string): readonly string[] {
  const namespace = namespaceOf(key)
  const article = `${namespace}:article:`
  return key.startsWith(article) ? [namespace, key.slice(article.length)] : [namespace]
}

const namespaceOf = (key: string): string => key.split(':', 1)[0] ?? key

type PartitionOf = (key: string, partitions: number) => number

/**
 * The partitions of a record that was in `partition`. One that is not where its keys belong (no key, or another
 * partitioner) stays in the partition of the same number.
 */
export function targetsOf(
  keys: readonly string[] | null,
  partition: number,
  { from, to, partitionOf }: Pick<GrownTopic, 'from' | 'to'> & { readonly partitionOf: PartitionOf },
): readonly number[] {
  if (from === to) return [partition]
  if (keys === null) return childrenOf(partition, { from, to })
  const fitting = keys.map((key) => partitionOf(key, to)).filter((target) => target % from === partition)
  return fitting.length === 0 ? [partition] : [...new Set(fitting)]
}
