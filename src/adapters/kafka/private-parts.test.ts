import { createRequire } from 'node:module'
import { Kafka } from 'kafkajs'
import { expect, it } from 'vitest'
import { clusterOf } from './cluster.ts'

const load = createRequire(import.meta.url)

const WHAT_TO_DO =
  'Parts of kafkajs are used that it does not publish. After an upgrade read cluster.ts, reader.ts, coordinators.ts, ' +
  'idle-fetches.ts and idle-spin.ts against its new sources, run test/contracts and test/guarantees, and change this test last.'

it('is the version of kafkajs whose private parts were read', () => {
  const { version } = load('kafkajs/package.json') as { readonly version: string }

  expect(version, WHAT_TO_DO).toBe('2.2.4')
})

it('has a maker of connections behind a symbol, and connections that do what is asked of them', () => {
  const cluster: unknown = clusterOf(new Kafka({ brokers: ['127.0.0.1:1'] }))

  const missing = [
    ...['connect', 'disconnect', 'addTargetTopic', 'addMultipleTargetTopics', 'refreshMetadataIfNecessary'],
    ...['findLeaderForPartitions', 'findTopicPartitionMetadata', 'findBroker', 'findGroupCoordinator'],
    ...['findGroupCoordinatorMetadata', 'fetchTopicsOffset'],
  ].filter((name) => typeof Reflect.get(cluster as object, name) !== 'function')
  expect(missing, WHAT_TO_DO).toEqual([])
})

it('has brokers that fetch and beat', () => {
  const { prototype } = load('kafkajs/src/broker') as { readonly prototype: object }

  const missing = ['fetch', 'heartbeat', 'syncGroup'].filter(
    (name) => typeof Reflect.get(prototype, name) !== 'function',
  )
  expect(missing, WHAT_TO_DO).toEqual([])
})

it('leaves records of aborted transactions and markers out of a fetched batch, and keeps what was fetched', () => {
  const Batch = load('kafkajs/src/consumer/batch') as new (topic: string, from: string, partition: object) => object
  const messages = [
    { offset: '3', isControlRecord: false, batchContext: { producerId: '-1' } },
    { offset: '4', isControlRecord: true, batchContext: { producerId: '-1' } },
  ]

  const batch = new Batch('t', '3', { partition: 0, highWatermark: '5', abortedTransactions: [], messages })

  expect(batch, WHAT_TO_DO).toMatchObject({ rawMessages: messages, messages: [{ offset: '3' }] })
})

it('has an encoder and a decoder of the protocol', () => {
  const encoder = load('kafkajs/src/protocol/encoder') as { readonly prototype: object }
  const decoder = load('kafkajs/src/protocol/decoder') as { readonly prototype: object }
  const has = ({ prototype }: { readonly prototype: object }, name: string) =>
    typeof Reflect.get(prototype, name) === 'function'

  const written = ['writeInt32', 'writeString', 'writeUVarInt', 'writeUVarIntString', 'writeBoolean']
  expect(
    [...written, 'writeBufferInternal'].filter((name) => !has(encoder, name)),
    WHAT_TO_DO,
  ).toEqual([])
  const read = ['readInt16', 'readInt32', 'readInt64', 'readString', 'readBytes', 'readUVarInt', 'readTaggedFields']
  expect(
    read.filter((name) => !has(decoder, name)),
    WHAT_TO_DO,
  ).toEqual([])
})

it('has a queue of requests whose next look can be put off', () => {
  const { prototype } = load('kafkajs/src/network/requestQueue') as { readonly prototype: object }

  expect(Reflect.get(prototype, 'scheduleCheckPendingRequests'), WHAT_TO_DO).toBeTypeOf('function')
})
