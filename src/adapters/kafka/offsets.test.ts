import type { Kafka } from 'kafkajs'
import { expect, it, vi } from 'vitest'
import { KafkaOffsets, KafkaBounds } from './offsets.ts'
import { kafkaClient } from './client.ts'
import { changeClusters, type KafkaCluster } from './cluster.ts'

const saying = (type: string): Error => Object.assign(new Error(type), { type })

/** A broker that answers with what it is given, one answer after the other. */
function aBroker(fetchOffsets: () => Promise<unknown>) {
  const admin = { connect: async () => undefined, disconnect: async () => undefined, fetchOffsets }
  return new KafkaOffsets(() => ({ admin: () => admin }) as unknown as Kafka)
}

const FOUND = [{ partitions: [{ partition: 0, offset: '7', metadata: '' }] }]

it('asks again while a broker does not know yet whose a group is', async () => {
  const fetchOffsets = vi
    .fn<() => Promise<unknown>>()
    .mockRejectedValueOnce(saying('NOT_COORDINATOR_FOR_GROUP'))
    .mockRejectedValueOnce(saying('GROUP_LOAD_IN_PROGRESS'))
    .mockResolvedValue(FOUND)

  expect(await aBroker(fetchOffsets).committed('scored', 'articles.ingested')).toEqual([{ offset: 7, note: null }])
  expect(fetchOffsets).toHaveBeenCalledTimes(3)
})

it('tells any other error at once', async () => {
  const fetchOffsets = vi.fn(() => Promise.reject(saying('GROUP_AUTHORIZATION_FAILED')))

  await expect(aBroker(fetchOffsets).committed('scored', 'articles.ingested')).rejects.toThrow(
    'did not say its offsets',
  )
  expect(fetchOffsets).toHaveBeenCalledTimes(1)
})

type OffsetsRequest = Parameters<KafkaCluster['fetchTopicsOffset']>[0]

/**
 * A log of topics with two partitions, which does not know the topic `gone`, and the partitions of `new` only at the third
 * connection; `calls` are the requests it was sent.
 */
function aLog() {
  const calls: { topics: readonly string[]; fromBeginning: boolean }[] = []
  const connect = vi.fn(() => Promise.resolve())
  const newClient = () => {
    const client = kafkaClient({ brokers: ['127.0.0.1:1'], clientId: 'test' })
    changeClusters(client, (cluster) => {
      cluster.connect = connect
      cluster.disconnect = () => Promise.resolve()
      cluster.refreshMetadataIfNecessary = () => Promise.resolve()
      cluster.addMultipleTargetTopics = (topics) =>
        topics.includes('gone')
          ? Promise.reject(Object.assign(new Error('no such topic'), { type: 'INVALID_TOPIC_EXCEPTION' }))
          : Promise.resolve()
      cluster.findTopicPartitionMetadata = (topic) =>
        topic === 'new' && connect.mock.calls.length < 3 ? [] : [{ partitionId: 1 }, { partitionId: 0 }]
      cluster.fetchTopicsOffset = (questions) => Promise.resolve(answer(questions))
    })
    return client
  }
  const answer = (questions: OffsetsRequest) => {
    const fromBeginning = questions.some((one) => one.fromBeginning)
    calls.push({ topics: questions.map(({ topic }) => topic), fromBeginning })
    return questions.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.map(({ partition }) => ({
        partition,
        offset: String(fromBeginning ? partition : topic.length * 10 + partition),
      })),
    }))
  }
  return { bounds: new KafkaBounds(newClient), calls, connect }
}

it('asks in one request for what is asked in one turn', async () => {
  const { bounds, calls, connect } = aLog()
  const found = await Promise.all([
    bounds.of('a', 'end'),
    bounds.of('bb', 'end'),
    bounds.of('a', 'end'),
    bounds.of('a', 'start'),
  ])
  expect(found).toEqual([
    [10, 11],
    [20, 21],
    [10, 11],
    [0, 1],
  ])
  expect(calls).toEqual([
    { topics: ['a'], fromBeginning: true },
    { topics: ['a', 'bb'], fromBeginning: false },
  ])
  await bounds.of('a', 'end')
  expect(connect).toHaveBeenCalledTimes(1)
})

it('asks one after the other: what is asked meanwhile goes with the next', async () => {
  const { bounds, calls } = aLog()
  const first = bounds.of('a', 'end')
  await Promise.resolve() // the first is on its way
  await Promise.all([first, bounds.of('bb', 'end'), bounds.of('ccc', 'end')])
  expect(calls.map(({ topics }) => topics)).toEqual([['a'], ['bb', 'ccc']])
})

it('asks again for a topic of which it knows no partition yet: it is not an empty one', async () => {
  const { bounds, connect } = aLog()

  expect(await bounds.of('new', 'end')).toEqual([30, 31])
  expect(connect).toHaveBeenCalledTimes(3)
})

it('answers about the others where one topic cannot be asked about', async () => {
  const { bounds } = aLog()
  const [a, gone] = await Promise.allSettled([bounds.of('a', 'end'), bounds.of('gone', 'end')])
  expect(a).toEqual({ status: 'fulfilled', value: [10, 11] })
  expect(gone).toMatchObject({ status: 'rejected', reason: { message: 'no such topic' } })
})

it('asks nobody alone where the log is away', async () => {
  const { bounds, connect } = aLog()
  connect.mockRejectedValue(new Error('refused'))
  const calls = await Promise.allSettled(['a', 'bb', 'ccc'].map((topic) => bounds.of(topic, 'end')))
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(connect).toHaveBeenCalledTimes(1)
})

it('connects anew after an error', async () => {
  const { bounds, connect } = aLog()
  await expect(bounds.of('gone', 'end')).rejects.toThrow('no such topic')
  expect(await bounds.of('a', 'end')).toEqual([10, 11])
  expect(connect).toHaveBeenCalledTimes(2)
})

it('asks nothing any more once it is closed, not even what waits', async () => {
  const { bounds, connect } = aLog()
  await bounds.of('a', 'end')
  const waiting = bounds.of('bb', 'end')
  await bounds.close()
  await expect(waiting).rejects.toThrow('closed')
  await expect(bounds.of('a', 'end')).rejects.toThrow('closed')
  expect(connect).toHaveBeenCalledTimes(1)
})
