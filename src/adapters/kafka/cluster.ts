import type { Kafka, KafkaMessage } from 'kafkajs'

/** Undocumented kafkajs internals. The contract suite of the log covers their use. */
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
  /** Like `findGroupCoordinator`, but only looks up the address and opens no connection. */
  findGroupCoordinatorMetadata(of: Coordinated): Promise<unknown>
  fetchTopicsOffset(
    topics: readonly { topic: string; partitions: { partition: number }[]; fromBeginning: boolean }[],
  ): Promise<readonly TopicOffsets[]>
}

export interface TopicOffsets {
  readonly topic: string
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
}

/** `groupId` is a consumer group or a transactional id, depending on `coordinatorType`. */
export interface Coordinated {
  readonly groupId: string
  readonly coordinatorType: number
}

export type RawMessage = KafkaMessage & {
  readonly batchContext?: { readonly firstOffset: string; readonly lastOffsetDelta: number }
}

/** A request that kafkajs does not know, with its encoding. */
export interface RawRequest<Answer> {
  readonly request: {
    readonly apiKey: number
    readonly apiName: string
    readonly apiVersion: number
    encode(): Promise<unknown>
  }
  readonly response: { decode(bytes: Buffer): Promise<Answer>; parse(data: Answer): Promise<Answer> }
}

export interface ClusterBroker {
  readonly connectionPool: { send<Answer>(request: RawRequest<Answer>): Promise<Answer> }
  fetch(request: object): Promise<{
    readonly responses: readonly {
      readonly partitions: readonly { readonly messages: readonly RawMessage[]; readonly lastStableOffset?: string }[]
    }[]
  }>
  syncGroup(request: object): Promise<{ readonly memberAssignment: Buffer }>
  /** Throws the coordinator's error if it rejects the heartbeat. */
  heartbeat(member: {
    readonly groupId: string
    readonly memberId: string
    readonly groupGenerationId: number
  }): Promise<unknown>
}

export const READ_COMMITTED = 1
type Create = (options: object) => KafkaCluster

/** kafkajs stores the factory of its connections (with brokers, TLS and credentials) behind a private symbol. */
function makerOf(client: Kafka): symbol {
  const symbol = Object.getOwnPropertySymbols(client).find((it) => it.description === 'private:Kafka:createCluster')
  if (symbol === undefined) throw new Error('this version of kafkajs is not supported')
  return symbol
}

export function clusterOf(client: Kafka, metadataMaxAge = 300_000): KafkaCluster {
  const create = Reflect.get(client, makerOf(client)) as Create
  return create({ allowAutoTopicCreation: false, isolationLevel: READ_COMMITTED, metadataMaxAge })
}

/** Applies `change` once to every broker that a cluster of this client looks up from now on. */
export function changeBrokers(
  client: Kafka,
  lookUp: 'findBroker' | 'findGroupCoordinator',
  change: (broker: ClusterBroker) => void,
): void {
  const changed = new WeakSet<ClusterBroker>()
  changeClusters(client, (cluster) => {
    const find = cluster[lookUp].bind(cluster) as (of: unknown) => Promise<ClusterBroker>
    cluster[lookUp] = async (of: unknown) => {
      const broker = await find(of)
      if (changed.has(broker)) return broker
      changed.add(broker)
      change(broker)
      return broker
    }
  })
}

/** Applies `change` to every cluster that this client creates from now on. */
export function changeClusters(client: Kafka, change: (cluster: KafkaCluster) => void): void {
  const maker = makerOf(client)
  const create = Reflect.get(client, maker) as Create
  Reflect.set(client, maker, (options: object) => {
    const cluster = create(options)
    change(cluster)
    return cluster
  })
}
