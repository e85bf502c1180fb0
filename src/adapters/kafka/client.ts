import { type Admin, Kafka, logLevel, type SASLOptions } from 'kafkajs'
import { stopIdleSpin } from './idle-spin.ts'

interface Login {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
  readonly username: string
  readonly password: string
}

/** Address and credentials of the log; `ssl: true` uses the system's certificate authorities. */
export interface KafkaAccess {
  readonly brokers: readonly string[]
  /** PEM. */
  readonly ssl?: true | { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly sasl?: Login
}

export interface KafkaClientOptions extends KafkaAccess {
  readonly clientId: string
  /** How often a request is tried before it is an error to its caller; 60 rides out half a minute. */
  readonly retries?: number
}

export const INITIAL_RETRY_MS = 100
export const LONGEST_RETRY_MS = 500
const RETRIES = 60

/**
 * One client for each producer, consumer and reader: kafkajs keeps committed offsets by group in the client, so two
 * consumers of a group must not share one. It is silent: what matters comes as errors, the rest is noise of retries.
 */
export function kafkaClient({ brokers, clientId, retries = RETRIES, ssl, sasl }: KafkaClientOptions): Kafka {
  stopIdleSpin()
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

/** Retries for a few seconds by default, since a person is waiting. */
export async function kafkaAdmin(access: KafkaAccess, clientId: string, retries = 8): Promise<Admin> {
  const admin = kafkaClient({ ...access, clientId, retries }).admin()
  await admin.connect()
  return admin
}
