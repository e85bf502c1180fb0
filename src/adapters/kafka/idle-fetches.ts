import type { Kafka } from 'kafkajs'
import { changeBrokers } from './cluster.ts'
import type { Session } from './session.ts'

/** kafkajs sends heartbeats between two fetches: a session must have time for this many. */
const FETCHES_IN_A_SESSION = 3
/** A consumer that stops, or that must notice a rebalance, waits for its fetch. */
const LONGEST_WAIT_MS = 1_000

/**
 * Lets idle consumers of this client ask less often. After a fetch without records, the next one waits longer and ends
 * with the first record; after a fetch with records, it waits as the consumer was configured, for example for many
 * bytes. An idle service sends less than half of the requests, and a first record does not wait for others.
 */
export function fetchLessWhenIdle(client: Kafka, { sessionTimeoutMs }: Pick<Session, 'sessionTimeoutMs'>): void {
  const idleWaitMs = Math.min(LONGEST_WAIT_MS, Math.floor(sessionTimeoutMs / FETCHES_IN_A_SESSION))
  changeBrokers(client, 'findBroker', (broker) => {
    const fetch = broker.fetch.bind(broker)
    let isIdle = false
    broker.fetch = async (request) => {
      const answer = await fetch(isIdle ? { ...request, minBytes: 1, maxWaitTime: idleWaitMs } : request)
      isIdle = !answer.responses.some(({ partitions }) => partitions.some(({ messages }) => messages.length > 0))
      return answer
    }
  })
}
