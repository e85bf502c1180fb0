import { Partitioners, type Kafka, type Message, type Producer } from 'kafkajs'
import type { ArchivedPartition, ArchivedRecord, Restorer, RestoredStretch } from '../../ports/restorer.ts'
import { kafkaClient, type KafkaClientOptions } from './client.ts'

/** Records of a request that nobody will see. */
const FILLERS = 5_000

/** One for each topic that is restored at the same time: `name` is its transactional id. */
export async function kafkaRestorer(options: KafkaClientOptions, name: string): Promise<Restorer> {
  const plain = producerOf(kafkaClient(options), {})
  const transactional = producerOf(kafkaClient(options), { transactionalId: name })
  await Promise.all([plain.connect(), transactional.connect()])
  return {
    put: (partition, stretch) => put({ plain, transactional }, partition, stretch),
    close: async () => {
      await Promise.all([plain.disconnect(), transactional.disconnect()])
    },
  }
}

const producerOf = (client: Kafka, more: { readonly transactionalId?: string }): Producer =>
  client.producer({
    ...more,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  })

interface Producers {
  readonly plain: Producer
  readonly transactional: Producer
}

async function put(
  { plain, transactional }: Producers,
  { topic, partition }: ArchivedPartition,
  stretch: RestoredStretch,
) {
  const messagesOf = (records: readonly ArchivedRecord[]) => records.map((record) => messageOf(record, partition))
  switch (stretch.kind) {
    case 'records':
      await plain.send({ topic, acks: -1, messages: messagesOf(stretch.records) })
      return
    case 'committed': {
      const transaction = await transactional.transaction()
      await transaction.send({ topic, acks: -1, messages: messagesOf(stretch.records) })
      await transaction.commit()
      return
    }
    case 'nothing': {
      const transaction = await transactional.transaction()
      const filler = { ...empty(stretch.timestamp), partition }
      for (let left = stretch.offsets - 1; left > 0; left -= FILLERS) {
        await transaction.send({ topic, acks: -1, messages: Array<Message>(Math.min(left, FILLERS)).fill(filler) })
      }
      await transaction.abort()
      return
    }
    case 'tombstone':
      await plain.send({ topic, acks: -1, messages: [{ ...empty(stretch.timestamp), partition }] })
  }
}

const messageOf = ({ key, value, headers, timestamp }: ArchivedRecord, partition: number): Message => ({
  key,
  value,
  headers: { ...headers },
  timestamp: String(timestamp),
  partition,
})

/** A compacted topic takes no record without a key. */
const empty = (timestamp: number): Message => ({ key: 'archive', value: null, timestamp: String(timestamp) })
