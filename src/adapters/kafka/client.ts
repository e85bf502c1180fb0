import { type Admin, Kafka, logLevel, type SASLOptions } from 'kafkajs'
import { stopIdleSpin } from './idle-spin.ts'
import { followCoordinator } from './moved-coordinator.ts'
import { useZstd } from './zstd.ts'

interface Login {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
  readonly username: string
  readonly password: string
}

/** Address and credentials of the log; `ssl: true` uses the system's certificate authorities. */
export interface KafkaAccess {
  readonly brokers: readonly string[]
  /** Certificates and key are PEM. */
  readonly ssl?: true | { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly sasl?: Login
  /** Appended to the name of every topic in Kafka: the generation of topics in use. */
  readonly topicSuffix?: string
}

export interface KafkaClientOptions extends KafkaAccess {
  readonly clientId: string
  /** Attempts before the caller gets the error; 60 attempts bridge an outage of half a minute. */
  readonly retries?: number
}

export const INITIAL_RETRY_MS = 100
export const LONGEST_RETRY_MS = 500
const RETRIES = 60

/**
 * Creates a client. Each producer, consumer and reader needs its own: kafkajs caches committed offsets by group in the
 * client, so two consumers of a group must not share one. Logging is off: relevant failures are thrown, and the rest is
 * retry noise.
 */
export function kafkaClient({ brokers, clientId, retries = RETRIES, ssl, sasl }: KafkaClientOptions): Kafka {
  stopIdleSpin()
  followCoordinator()
  useZstd()
  return new Kafka({
    clientId,
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3000,
    retry: { initialRetryTime: INITIAL_RETRY_MS, maxRetryTime: LONGEST_RETRY_MS, retries },
    ...(ssl === undefined ? {} : { ssl }),
    ...(sasl === undefined ? {} : { sasl: sasl as SASLOptions }),
  })
}

/** The default number of retries takes a few seconds, because a person is waiting. */
export async function kafkaAdmin(access: KafkaAccess, clientId: string, retries = 8): Promise<Admin> {
  const admin = kafkaClient({ ...access, clientId, retries }).admin()
  await admin.connect()
  return admin
}
