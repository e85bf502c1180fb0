import { setTimeout } from 'node:timers/promises'
import kafkajs, { type Kafka } from 'kafkajs'
import { LONGEST_RETRY_MS } from './client.ts'

// Node exposes only some names of this CommonJS package; the others are on its default export.
const { ConfigResourceTypes } = kafkajs

export interface Session {
  /** How long the partitions of a dead member stay unassigned. */
  readonly sessionTimeoutMs: number
  /** How soon a live member notices a rebalance while records arrive. */
  readonly heartbeatMs: number
}

/**
 * A dead process is replaced within seconds. A live process that is busy for longer stays in the group, because a
 * separate thread sends its heartbeats (`heartbeats.ts`).
 */
const SHORTEST_SESSION_MS = 2_500
/** Several may be lost before a session ends; more would only occupy brokers, which each member sends its own to. */
const HEARTBEATS_PER_SESSION = 6

/** Kafka's default for `group.min.session.timeout.ms`. */
const KAFKA_DEFAULT_MS = 6_000
const ATTEMPTS = 20

/** The shortest session timeout that the broker accepts. Uses Kafka's default if the broker does not report one. */
export async function shortestSession(client: Kafka): Promise<Session> {
  const sessionTimeoutMs = Math.max(SHORTEST_SESSION_MS, await fetchWithRetries(client))
  return { sessionTimeoutMs, heartbeatMs: Math.round(sessionTimeoutMs / HEARTBEATS_PER_SESSION) }
}

/** Retries, because kafkajs does not if a connection closes during a request. */
async function fetchWithRetries(client: Kafka): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await leastSessionMs(client)
    } catch (cause) {
      if (isRefusal(cause)) return KAFKA_DEFAULT_MS
      if (attempt === ATTEMPTS) throw cause
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
    return values.length === 0 ? KAFKA_DEFAULT_MS : Math.max(...values)
  } finally {
    await admin.disconnect()
  }
}
