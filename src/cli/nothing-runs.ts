import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { answers } from '../engines/free-port.ts'

type KafkaConfig = Pick<Config, 'kafka'>

/** A broker that `story up` restarts listens again within this time. */
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 250

/**
 * Waits until somebody listens at the broker's address, where that is on this machine. Throws after `patienceMs`: the client of
 * Kafka would try for half a minute and then tell of connections.
 */
export async function untilBrokerListens(config: KafkaConfig, patienceMs = PATIENCE_MS): Promise<void> {
  const local = localBroker(config)
  if (local === null) return
  for (let waited = 0; !(await answers(local.port)); waited += LOOK_EVERY_MS) {
    if (waited >= patienceMs) throw nothingRunsAt(local.address)
    await setTimeout(LOOK_EVERY_MS)
  }
}

/**
 * One line instead of errors of connections, where a command failed because nobody listens at the broker's address on this
 * machine; null: it failed for another reason.
 */
export async function nothingRuns(config: KafkaConfig, cause: unknown): Promise<Error | null> {
  const local = localBroker(config)
  if (local === null || !isOfConnection(cause) || (await answers(local.port))) return null
  return nothingRunsAt(local.address)
}

const nothingRunsAt = (address: string): Error => new Error(`nothing runs at ${address}: start it with \`story up\``)

/** The first broker, where it is on this machine. */
function localBroker({ kafka }: KafkaConfig): { readonly address: string; readonly port: number } | null {
  const [address = ''] = kafka.brokers
  const port = /^(?:127\.0\.0\.1|localhost):(\d+)$/.exec(address)?.[1]
  return port === undefined ? null : { address, port: Number(port) }
}

/** In an error or in what led to it. */
function isOfConnection(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return /ECONNREFUSED|connection|connect /i.test(`${cause.name} ${cause.message}`) || isOfConnection(cause.cause)
}
