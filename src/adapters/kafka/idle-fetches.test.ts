import { Kafka } from 'kafkajs'
import { expect, it, vi } from 'vitest'
import { changeClusters, clusterOf, type ClusterBroker } from './cluster.ts'
import { fetchLessWhenIdle } from './idle-fetches.ts'

const AS_CONFIGURED = { minBytes: 262_144, maxWaitTime: 150 }
const IDLE = { minBytes: 1, maxWaitTime: 800 }
const NOTHING = { responses: [{ partitions: [{ messages: [] }] }] }
const A_RECORD = { responses: [{ partitions: [{ messages: [] }, { messages: [{}] }] }] } as unknown as typeof NOTHING

/** A client whose only broker gives these answers to fetches, one after the other. */
function clientOf(answers: readonly (typeof NOTHING)[]) {
  const left = [...answers]
  const fetch = vi.fn<(request: object) => Promise<typeof NOTHING>>(async () => left.shift() ?? NOTHING)
  const broker = { fetch } as unknown as ClusterBroker
  const client = new Kafka({ brokers: ['127.0.0.1:1'] })
  changeClusters(client, (cluster) => (cluster.findBroker = async () => broker))
  fetchLessWhenIdle(client, { sessionTimeoutMs: 2_400 })
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
