import type { Kafka, KafkaMessage } from 'kafkajs'

/** Internals of kafkajs that are not documented; the log's contract suite covers their use. */
export interface KafkaCluster {
  connect(): Promise<void>
  disconnect(): Promise<void>
  addTargetTopic(topic: string): Promise<void>
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>
  refreshMetadataIfNecessary(): Promise<void>
  refreshMetadata(): Promise<void>
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, readonly number[]>>
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[]
  findBroker(of: { readonly nodeId: string }): Promise<ClusterBroker>
  findGroupCoordinator(of: { readonly groupId: string }): Promise<ClusterBroker>
  /** The same as an address: what is asked of the log, where the other finds the connection, too. */
  findGroupCoordinatorMetadata(of: Coordinated): Promise<unknown>
  fetchTopicsOffset(
    topics: readonly { topic: string; partitions: { partition: number }[]; fromBeginning: boolean }[],
  ): Promise<readonly TopicOffsets[]>
}

export interface TopicOffsets {
  readonly topic: string
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
}

/** A group, or a transactional id. */
export interface Coordinated {
  readonly groupId: string
  readonly coordinatorType: number
}

export type RawMessage = KafkaMessage & {
  readonly batchContext?: { readonly firstOffset: string; readonly lastOffsetDelta: number }
}

export interface ClusterBroker {
  fetch(request: object): Promise<{
    readonly responses: readonly {
      readonly partitions: readonly { readonly messages: readonly RawMessage[]; readonly lastStableOffset?: string }[]
    }[]
  }>
  /** Throws what the coordinator says against it. */
  heartbeat(member: {
    readonly groupId: string
    readonly memberId: string
    readonly groupGenerationId: number
  }): Promise<unknown>
}

export const READ_COMMITTED = 1
type Create = (options: object) => KafkaCluster

/** The client keeps the maker of its connections (with its brokers, TLS and credentials) behind a symbol. */
function makerOf(client: Kafka): symbol {
  const symbol = Object.getOwnPropertySymbols(client).find((it) => it.description === 'private:Kafka:createCluster')
  if (symbol === undefined) throw new Error('this version of kafkajs is not supported')
  return symbol
}

export function clusterOf(client: Kafka, metadataMaxAge = 300_000): KafkaCluster {
  const create = Reflect.get(client, makerOf(client)) as Create
  return create({ allowAutoTopicCreation: false, isolationLevel: READ_COMMITTED, metadataMaxAge })
}

/** What this client connects with from now on is changed first. */
export function changeClusters(client: Kafka, change: (cluster: KafkaCluster) => void): void {
  const maker = makerOf(client)
  const create = Reflect.get(client, maker) as Create
  Reflect.set(client, maker, (options: object) => {
    const cluster = create(options)
    change(cluster)
    return cluster
  })
}
