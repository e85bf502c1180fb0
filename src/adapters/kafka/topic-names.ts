import { Partitioners, type Message } from 'kafkajs'
import type { KafkaAccess } from './client.ts'

/** The names of topics in Kafka. All topics of a generation have the same suffix; the first generation has none. */
export interface TopicNames {
  readonly suffix: string
  /** The name in Kafka of one of our topics. */
  stored(topic: string): string
  /** Our name of a topic in Kafka; `null` if it is of another generation. */
  own(stored: string): string | null
}

export const topicNames = ({ topicSuffix: suffix = '' }: Pick<KafkaAccess, 'topicSuffix'>): TopicNames => ({
  suffix,
  stored: (topic) => `${topic}${suffix}`,
  own: (stored) => (stored.endsWith(suffix) ? stored.slice(0, stored.length - suffix.length) : null),
})

const partitioner = Partitioners.DefaultPartitioner()

/** The partition that Kafka's own clients choose for a key (murmur2); without a key, the next one in turn. */
export const partitionOfKey = (key: Exclude<Message['key'], undefined>, partitions: number): number => {
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    ...{ partitionErrorCode: 0, partitionId, leader: 0, replicas: [], isr: [] },
  }))
  return partitioner({ topic: '', partitionMetadata, message: { key, value: null } })
}
