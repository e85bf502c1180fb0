import { Kafka, logLevel, type KafkaConfig } from 'kafkajs'
import { stopIdleSpin } from './idle-spin.ts'

export interface KafkaOptions {
  readonly brokers: readonly string[]
  readonly clientId: string
  /** How often a request is tried before it is an error to its caller; 60 rides out half a minute. */
  readonly retries?: number
  readonly ssl?: NonNullable<KafkaConfig['ssl']>
  readonly sasl?: NonNullable<KafkaConfig['sasl']>
}

export const INITIAL_RETRY_MS = 100
export const LONGEST_RETRY_MS = 500
const RETRIES = 60

/**
 * One client for each producer, consumer and reader: kafkajs keeps committed offsets by group in the client, so two
 * consumers of a group must not share one. It is silent: what matters comes as errors, the rest is noise of retries.
 */
export function kafkaClient({ brokers, clientId, retries = RETRIES, ssl, sasl }: KafkaOptions): Kafka {
  stopIdleSpin()
  return new Kafka({
    clientId,
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3000,
    retry: { initialRetryTime: INITIAL_RETRY_MS, maxRetryTime: LONGEST_RETRY_MS, retries },
    ...(ssl === undefined ? {} : { ssl }),
    ...(sasl === undefined ? {} : { sasl }),
  })
}
