import { expect, it } from 'vitest'
import type { ClusterBroker, KafkaCluster, RawMessage } from './cluster.ts'
import { fetchUpTo, KafkaReaders } from './reader.ts'

const PLACE = { topic: 'words', partition: 0 }

const message = (offset: number): RawMessage => ({
  key: null,
  value: Buffer.from(`${offset}`),
  timestamp: '1000',
  attributes: 0,
  offset: String(offset),
  headers: {},
})

interface ReaderAnswer {
  readonly offsets: readonly number[]
  readonly lastStableOffset: number
}

/** A broker that gives these answers in turn, the last one for ever. */
function aCluster(answers: readonly ReaderAnswer[]) {
  const calls: number[] = []
  const fetch: ClusterBroker['fetch'] = async (request) => {
    const { topics } = request as { topics: readonly { partitions: readonly { fetchOffset: string }[] }[] }
    calls.push(Number(topics[0]?.partitions[0]?.fetchOffset))
    const { offsets, lastStableOffset } = answers[Math.min(calls.length, answers.length) - 1] ?? NOTHING
    const partition = { messages: offsets.map(message), lastStableOffset: String(lastStableOffset) }
    return Promise.resolve({ responses: [{ partitions: [{ ...partition, abortedTransactions: [] }] }] })
  }
  const refused = () => Promise.reject(new Error('nothing else is asked'))
  const connectionPool = { send: refused }
  const broker: ClusterBroker = { fetch, heartbeat: () => Promise.resolve(), syncGroup: refused, connectionPool }
  const cluster = {
    findLeaderForPartitions: () => ({ 1: [0] }),
    findBroker: () => Promise.resolve(broker),
    refreshMetadata: () => Promise.resolve(),
  }
  return { cluster, calls }
}

const NOTHING: ReaderAnswer = { offsets: [], lastStableOffset: 0 }

async function read(answers: readonly ReaderAnswer[], end: number) {
  const { cluster, calls } = aCluster(answers)
  const offsets: number[] = []
  for await (const records of fetchUpTo(cluster, PLACE, { from: 0, end })) {
    offsets.push(...records.map(({ offset }) => offset))
  }
  return { offsets, calls }
}

it('an empty answer of a leader that does not know the rest yet skips nothing', async () => {
  const { offsets } = await read(
    [
      { offsets: [0, 1], lastStableOffset: 5 },
      { offsets: [], lastStableOffset: 2 },
      { offsets: [2, 3, 4], lastStableOffset: 5 },
    ],
    5,
  )

  expect(offsets).toEqual([0, 1, 2, 3, 4])
})

it('an empty answer is a gap where stable offsets lie behind it', async () => {
  const { offsets, calls } = await read(
    [
      { offsets: [0], lastStableOffset: 3 },
      { offsets: [], lastStableOffset: 3 },
      { offsets: [2], lastStableOffset: 3 },
    ],
    3,
  )

  expect({ offsets, calls }).toEqual({ offsets: [0, 2], calls: [0, 1, 2] })
})

it('a partition that ends before what its leader said fails the read', async () => {
  await expect(
    read(
      [
        { offsets: [0], lastStableOffset: 5 },
        { offsets: [], lastStableOffset: 1 },
      ],
      5,
    ),
  ).rejects.toThrow('words 0 ends at 1, before 5')
})

/** Connections to a broker that has these offsets; a dead one fails at the next question. */
function someConnections(offsets: readonly number[]) {
  const made: { isOpen: boolean; isDead: boolean }[] = []
  const newCluster = (): KafkaCluster => {
    const connection = { isOpen: false, isDead: false }
    made.push(connection)
    const end = String(offsets.length)
    return {
      ...aCluster([{ offsets, lastStableOffset: offsets.length }]).cluster,
      connect: () => Promise.resolve(void (connection.isOpen = true)),
      disconnect: () => Promise.resolve(void (connection.isOpen = false)),
      addTargetTopic: () => Promise.resolve(),
      refreshMetadataIfNecessary: () => Promise.resolve(),
      fetchTopicsOffset: async ([calls]) => {
        if (connection.isDead) throw new Error('the connection is gone')
        const offset = calls?.fromBeginning === true ? '0' : end
        return Promise.resolve([{ topic: 'words', partitions: [{ partition: 0, offset }] }])
      },
    } as Partial<KafkaCluster> as KafkaCluster
  }
  return { made, readers: new KafkaReaders(newCluster) }
}

async function readAll(readers: KafkaReaders): Promise<number[]> {
  const offsets: number[] = []
  for await (const records of readers.read(PLACE, 0)) offsets.push(...records.map(({ offset }) => offset))
  return offsets
}

it('reads one after the other share a connection, those at once do not', async () => {
  const { made, readers } = someConnections([0, 1])

  for (let i = 0; i < 3; i++) expect(await readAll(readers)).toEqual([0, 1])
  expect(made).toHaveLength(1)

  await Promise.all([readAll(readers), readAll(readers)])
  expect(made).toHaveLength(2)
})

it('a read that is left early gives its connection back', async () => {
  const { made, readers } = someConnections([0, 1])

  for await (const records of readers.read(PLACE, 0)) if (records.length > 0) break
  await readAll(readers)

  expect(made).toHaveLength(1)
})

it('a kept connection that has died is replaced', async () => {
  const { made, readers } = someConnections([0, 1])
  await readAll(readers)
  for (const connection of made) connection.isDead = true

  expect(await readAll(readers)).toEqual([0, 1])
  expect(made.map(({ isOpen }) => isOpen)).toEqual([false, true])
})

it('closes what is kept, and keeps nothing from then on', async () => {
  const { made, readers } = someConnections([0, 1])
  await readAll(readers)

  await readers.close()
  await readAll(readers)

  expect(made.map(({ isOpen }) => isOpen)).toEqual([false, false])
})
