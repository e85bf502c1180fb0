import { Kafka } from 'kafkajs'
import { expect, it, vi } from 'vitest'
import { changeClusters, clusterOf, type ClusterBroker } from './cluster.ts'
import { fetchLessWhenIdle } from './idle-fetches.ts'

const AS_CONFIGURED = { minBytes: 262_144, maxWaitTime: 150 }
const IDLE = { minBytes: 1, maxWaitTime: 800 }
const NOTHING = { responses: [{ partitions: [{ messages: [] }] }] }
const A_RECORD = { responses: [{ partitions: [{ messages: [] }, { messages: [{}] }] }] } as unknown as typeof NOTHING

/** A client whose only broker gives these answers to fetches, one after the other. */
function clientOf(answers: readonly (typeof NOTHING)[], sessionTimeoutMs = 2_400) {
  const left = [...answers]
  const fetch = vi.fn<(request: object) => Promise<typeof NOTHING>>(async () => left.shift() ?? NOTHING)
  const broker = { fetch } as unknown as ClusterBroker
  const client = new Kafka({ brokers: ['127.0.0.1:1'] })
  changeClusters(client, (cluster) => (cluster.findBroker = async () => broker))
  fetchLessWhenIdle(client, { sessionTimeoutMs })
  return { cluster: clusterOf(client), requests: () => fetch.mock.calls.map(([request]) => request) }
}

it('waits longer after a fetch without records, for the first record, and as configured after one with records', async () => {
  const { cluster, requests } = clientOf([NOTHING, NOTHING, A_RECORD, A_RECORD, NOTHING])
  for (let i = 0; i < 6; i++) {
    const broker = await cluster.findBroker({ nodeId: '0' }) // kafkajs looks it up for each fetch
    await broker.fetch({ topics: [], ...AS_CONFIGURED })
  }

  expect(requests()).toEqual(
    [AS_CONFIGURED, IDLE, IDLE, AS_CONFIGURED, AS_CONFIGURED, IDLE].map((waits) => ({ topics: [], ...waits })),
  )
})

it('changes a connection once, however often it is looked up', async () => {
  const { cluster } = clientOf([])
  const fetchNow = async () => Reflect.get(await cluster.findBroker({ nodeId: '0' }), 'fetch')
  const first = await fetchNow()

  expect(await fetchNow()).toBe(first)
})

it('waits for at most a second in a long session, so that it can stop', async () => {
  const { cluster, requests } = clientOf([NOTHING], 30_000)
  const broker = await cluster.findBroker({ nodeId: '0' })
  for (let i = 0; i < 2; i++) await broker.fetch(AS_CONFIGURED)

  expect(requests()).toEqual([AS_CONFIGURED, { minBytes: 1, maxWaitTime: 1_000 }])
})
