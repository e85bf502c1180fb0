import type { Kafka, KafkaMessage } from 'kafkajs'

/** What kafkajs uses inside and does not describe; the log's contract suite holds us to it. */
export interface Cluster {
  connect(): Promise<void>
  disconnect(): Promise<void>
  addTargetTopic(topic: string): Promise<void>
  refreshMetadataIfNecessary(): Promise<void>
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, readonly number[]>>
  findBroker(of: { readonly nodeId: string }): Promise<Broker>
  findGroupCoordinator(of: { readonly groupId: string }): Promise<Broker>
  fetchTopicsOffset(
    topics: readonly { topic: string; partitions: { partition: number }[]; fromBeginning: boolean }[],
  ): Promise<readonly { readonly partitions: readonly { readonly offset: string }[] }[]>
}

export type RawMessage = KafkaMessage & {
  readonly batchContext?: { readonly firstOffset: string; readonly lastOffsetDelta: number }
}

export interface Broker {
  fetch(request: object): Promise<{
    readonly responses: readonly { readonly partitions: readonly { readonly messages: readonly RawMessage[] }[] }[]
  }>
  /** Throws what the coordinator says against it. */
  heartbeat(member: {
    readonly groupId: string
    readonly memberId: string
    readonly groupGenerationId: number
  }): Promise<unknown>
}

export const READ_COMMITTED = 1

/** The client keeps the maker of its connections (with its brokers, TLS and credentials) behind a symbol. */
export function clusterOf(client: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(client).find((it) => it.description === 'private:Kafka:createCluster')
  if (symbol === undefined) throw new Error('this kafkajs is not the one we know')
  const create = Reflect.get(client, symbol) as (options: object) => Cluster
  return create({ allowAutoTopicCreation: false, isolationLevel: READ_COMMITTED, metadataMaxAge: 300_000 })
}
