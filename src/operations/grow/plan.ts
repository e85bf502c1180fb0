import { planTopics, type ExistingTopic, type TopicSpec } from '../../config/topics.ts'
import type { GrownTopic } from './routes.ts'

/**
 * How each existing topic grows. Throws if the topics are not those of the configuration, or if a key would not stay in
 * a part of its partition.
 */
export function grownTopics(
  existing: readonly ExistingTopic[],
  { old, grown }: Readonly<Record<'old' | 'grown', readonly TopicSpec[]>>,
): readonly GrownTopic[] {
  const missing = planTopics(old, existing).filter(({ kind }) => kind !== 'configure')
  if (missing.length > 0) {
    throw new Error('the topics differ from TOPIC_PARTITIONS and TOPIC_SUFFIX: see `story topics plan`')
  }
  const widths = new Map(old.map(({ name, partitions }) => [name, partitions]))
  return grown.map(({ name: topic, partitions: to }) => {
    const from = widths.get(topic) ?? to
    if (to % from !== 0 || (to === from && from > 1)) {
      throw new Error(
        `${topic} has ${from} partitions and cannot grow to ${to}: use a multiple (${from * 2}, ${from * 3}), so that every partition is divided and every record keeps its offset`,
      )
    }
    return { topic, from, to }
  })
}
