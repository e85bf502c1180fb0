import { type KafkaAccess, kafkaAdmin } from './client.ts'
import { topicNames } from './topic-names.ts'

/** A partition of a topic in Kafka, with the brokers that have a copy of it; the first is the preferred leader. */
export interface PlacedPartition {
  readonly topic: string
  readonly partition: number
  readonly replicas: readonly number[]
}

export interface PlacedReplicas {
  readonly brokers: readonly number[]
  readonly partitions: readonly PlacedPartition[]
}

/** Reads and changes on which brokers the partitions of some topics are. */
export interface ReplicaAdmin {
  /** The brokers of the cluster; the partitions of our topics, of those of Kafka itself, and of the topics named. */
  placed(topics: ReplicatedTopics): Promise<PlacedReplicas>
  /** Begins to copy partitions of a topic. Kafka goes on with it by itself. */
  move(topic: string, partitions: readonly PlacedPartition[]): Promise<void>
  /** How many partitions of these topics are being copied. */
  moving(topics: readonly string[]): Promise<number>
  close(): Promise<void>
}

export interface ReplicatedTopics {
  /** By our names. Those that do not exist are left out. */
  readonly own: readonly string[]
  /** By their names in Kafka. */
  readonly others: readonly string[]
}

/** Topics in which Kafka keeps the offsets of groups and the state of transactions. */
const isOfKafka = (topic: string): boolean => topic.startsWith('__')

export async function replicaAdmin(access: KafkaAccess): Promise<ReplicaAdmin> {
  const admin = await kafkaAdmin(access, 'story-topics')
  const names = topicNames(access)
  return {
    placed: async ({ own, others }) => {
      const meant = new Set([...own.map((topic) => names.stored(topic)), ...others])
      const existing = await admin.listTopics()
      const missing = others.filter((topic) => !existing.includes(topic))
      if (missing.length > 0) throw new Error(`there is no topic ${missing.join(', ')}`)
      const chosen = existing.filter((topic) => meant.has(topic) || isOfKafka(topic)).sort()
      const { brokers } = await admin.describeCluster()
      const { topics } = await admin.fetchTopicMetadata({ topics: chosen })
      return {
        brokers: brokers.map(({ nodeId }) => nodeId).sort((a, b) => a - b),
        partitions: topics.flatMap(({ name, partitions }) =>
          partitions
            .map(({ partitionId, replicas }) => ({ topic: name, partition: partitionId, replicas }))
            .sort((a, b) => a.partition - b.partition),
        ),
      }
    },
    move: async (topic, partitions) => {
      const partitionAssignment = partitions.map(({ partition, replicas }) => ({ partition, replicas: [...replicas] }))
      await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] })
    },
    moving: async (topics) => {
      const { topics: found } = await admin.listPartitionReassignments({})
      return found
        .filter(({ topic }) => topics.includes(topic))
        .reduce((sum, { partitions }) => sum + partitions.length, 0)
    },
    close: () => admin.disconnect(),
  }
}
