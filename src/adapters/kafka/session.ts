import { setTimeout } from 'node:timers/promises'
import kafkajs, { type Kafka } from 'kafkajs'
import { LONGEST_RETRY_MS } from './client.ts'

// Node finds only some names of this CommonJS package, the rest hang on its default export.
const { ConfigResourceTypes } = kafkajs

export interface Session {
  /** How long a dead member's partitions wait for another. */
  readonly sessionTimeoutMs: number
  /** How soon a live member notices that others came or went. */
  readonly heartbeatMs: number
}

/**
 * What a process that died was doing goes on elsewhere within seconds. A process that lives is not thrown out for deciding
 * longer than this without a pause: meanwhile its heartbeats come from a thread of their own (`heartbeats.ts`).
 */
const SHORTEST_SESSION_MS = 2_500
const HEARTBEAT_MS = 400

/** Kafka's own `group.min.session.timeout.ms` where nobody has set it. */
const KAFKAS_LEAST_MS = 6_000
const TIMES = 20

/** The shortest session that this broker takes; where it does not say, as some brokers do not, Kafka's own least. */
export async function shortestSession(client: Kafka): Promise<Session> {
  return { sessionTimeoutMs: Math.max(SHORTEST_SESSION_MS, await fetchAgain(client)), heartbeatMs: HEARTBEAT_MS }
}

/** As long as kafkajs itself tries what it tries again; a connection that ends with the question out is none of that. */
async function fetchAgain(client: Kafka): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await leastSessionMs(client)
    } catch (cause) {
      if (isRefusal(cause)) return KAFKAS_LEAST_MS
      if (attempt === TIMES) throw cause
      await setTimeout(LONGEST_RETRY_MS)
    }
  }
}

const isRefusal = (cause: unknown): boolean => cause instanceof kafkajs.KafkaJSProtocolError && !cause.retriable

async function leastSessionMs(client: Kafka): Promise<number> {
  const admin = client.admin()
  await admin.connect()
  try {
    const { brokers } = await admin.describeCluster()
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: brokers.map(({ nodeId }) => ({
        type: ConfigResourceTypes.BROKER,
        name: String(nodeId),
        configNames: ['group.min.session.timeout.ms'],
      })),
    })
    const values = resources.flatMap(({ configEntries }) => configEntries.map(({ configValue }) => Number(configValue)))
    return values.length === 0 ? KAFKAS_LEAST_MS : Math.max(...values)
  } finally {
    await admin.disconnect()
  }
}
