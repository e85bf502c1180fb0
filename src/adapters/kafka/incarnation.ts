import { createRequire } from 'node:module'
import type { Kafka } from 'kafkajs'
import type { Incarnation } from '../../ports/log.ts'
import type { KafkaCluster, RawRequest } from './cluster.ts'
import { onceReady } from './broker-errors.ts'
import { KafkaConnection } from './connection.ts'

interface KafkaEncoder {
  writeInt32(value: number): KafkaEncoder
  writeString(value: string): KafkaEncoder
  writeUVarInt(value: number): KafkaEncoder
  writeUVarIntString(value: string): KafkaEncoder
  writeBoolean(value: boolean): KafkaEncoder
  writeBufferInternal(value: Buffer): void
}

interface KafkaDecoder {
  readInt16(): number
  readInt32(): number
  readInt64(): { toString(): string }
  readString(): string | null
  readBoolean(): boolean
  readBytes(length: number): Buffer | null
  readUVarInt(): number
  readUVarIntString(): string | null
  readTaggedFields(): unknown
}

const load = createRequire(import.meta.url)
const NewEncoder = load('kafkajs/src/protocol/encoder') as new () => KafkaEncoder
const NewDecoder = load('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => KafkaDecoder
const { failure, createErrorFromCode } = load('kafkajs/src/protocol/error') as {
  readonly failure: (code: number) => boolean
  readonly createErrorFromCode: (code: number) => Error
}

const NOT_READY = {
  types: new Set([
    'UNKNOWN_TOPIC_OR_PARTITION',
    'LEADER_NOT_AVAILABLE',
    'NOT_LEADER_FOR_PARTITION',
    'FENCED_LEADER_EPOCH',
  ]),
  attempts: 50,
}

/** Topic ids and leader epochs, which kafkajs does not request. */
export class KafkaIncarnations {
  private readonly connection: KafkaConnection

  constructor(newClient: () => Kafka) {
    this.connection = new KafkaConnection(newClient)
  }

  async of(topic: string, partition: number): Promise<Incarnation> {
    const found = await this.answerOf(topic, partition, metadataRequest(topic))
    const epoch = found.epochs.get(partition)
    if (epoch === undefined) throw new Error(`${topic} has no partition ${partition}`)
    return { topicId: found.topicId, epoch }
  }

  async epochEnd(topic: string, partition: number, epoch: number): Promise<number> {
    return this.answerOf(topic, partition, epochEndRequest(topic, partition, epoch))
  }

  private answerOf<Answer>(topic: string, partition: number, request: RawRequest<Answer>): Promise<Answer> {
    return onceReady(
      () => this.connection.ask((cluster) => sentToLeader(cluster, { topic, partition }, request)),
      NOT_READY,
    )
  }

  async close(): Promise<void> {
    await this.connection.close()
  }
}

async function sentToLeader<Answer>(
  cluster: KafkaCluster,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  request: RawRequest<Answer>,
): Promise<Answer> {
  await cluster.addTargetTopic(topic)
  await cluster.refreshMetadataIfNecessary()
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
  if (nodeId === undefined) throw new Error(`${topic} ${partition} has no leader`)
  const { connectionPool } = await cluster.findBroker({ nodeId })
  return connectionPool.send(request)
}

interface TopicMetadata {
  readonly topicId: string
  /** Leader epoch by partition. */
  readonly epochs: ReadonlyMap<number, number>
}

/** Metadata, version 12: the first one that is flexible and has topic ids is 10. */
const metadataRequest = (topic: string): RawRequest<TopicMetadata> => ({
  request: {
    apiKey: 3,
    apiName: 'Metadata',
    apiVersion: 12,
    encode: async () => {
      const body = new NewEncoder().writeUVarInt(0) // tagged fields of the header
      body.writeUVarInt(2) // one topic
      body.writeBufferInternal(Buffer.alloc(16)) // by name, not by id
      return body
        .writeUVarIntString(topic)
        .writeUVarInt(0)
        .writeBoolean(false) // create topics
        .writeBoolean(false) // list allowed operations
        .writeUVarInt(0)
    },
  },
  response: { decode: async (bytes) => topicMetadata(new NewDecoder(bytes)), parse: async (data) => data },
})

function topicMetadata(body: KafkaDecoder): TopicMetadata {
  body.readTaggedFields()
  body.readInt32() // throttle time
  each(body, () => {
    body.readInt32() // node
    body.readUVarIntString() // host
    body.readInt32() // port
    body.readUVarIntString() // rack
    body.readTaggedFields()
  })
  body.readUVarIntString() // cluster id
  body.readInt32() // controller
  body.readUVarInt() // one topic
  throwIfFailed(body.readInt16())
  body.readUVarIntString() // name
  const topicId = (body.readBytes(16) ?? Buffer.alloc(0)).toString('hex')
  body.readBoolean() // internal
  const epochs = new Map<number, number>()
  each(body, () => {
    throwIfFailed(body.readInt16())
    const partition = body.readInt32()
    body.readInt32() // leader
    epochs.set(partition, body.readInt32())
    for (let list = 0; list < 3; list++) each(body, () => body.readInt32()) // replicas: all, in sync, offline
    body.readTaggedFields()
  })
  return { topicId, epochs }
}

function each(body: KafkaDecoder, read: () => unknown): void {
  for (let left = body.readUVarInt() - 1; left > 0; left--) read()
}

/** OffsetForLeaderEpoch, version 3. */
const epochEndRequest = (topic: string, partition: number, epoch: number): RawRequest<number> => ({
  request: {
    apiKey: 23,
    apiName: 'OffsetForLeaderEpoch',
    apiVersion: 3,
    encode: async () =>
      new NewEncoder()
        .writeInt32(-1) // not a replica
        .writeInt32(1)
        .writeString(topic)
        .writeInt32(1)
        .writeInt32(partition)
        .writeInt32(-1) // current epoch: not known
        .writeInt32(epoch),
  },
  response: {
    decode: async (bytes) => {
      const body = new NewDecoder(bytes)
      body.readInt32() // throttle time
      body.readInt32() // one topic
      body.readString()
      body.readInt32() // one partition
      throwIfFailed(body.readInt16())
      body.readInt32() // partition
      body.readInt32() // epoch
      return Number(body.readInt64().toString())
    },
    parse: async (data) => data,
  },
})

function throwIfFailed(code: number): void {
  if (failure(code)) throw createErrorFromCode(code)
}
