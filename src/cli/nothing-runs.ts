import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { answers } from '../engines/free-port.ts'

type KafkaConfig = Pick<Config, 'kafka'>

/** A broker that `story up` restarts listens again within this time. */
const TIMEOUT_MS = 10_000
const POLL_MS = 250

/**
 * Waits until a broker listens, if all brokers are on this machine. Throws after `timeoutMs`; the Kafka client would
 * retry for half a minute and then report connection errors.
 */
export async function untilBrokerListens({ kafka }: KafkaConfig, timeoutMs = TIMEOUT_MS): Promise<void> {
  const ports = kafka.brokers.flatMap((address) => /^127\.0\.0\.1:(\d+)$/.exec(address)?.[1] ?? [])
  if (ports.length < kafka.brokers.length) return
  const listens = async () => (await Promise.all(ports.map((port) => answers(Number(port))))).includes(true)
  for (let waited = 0; !(await listens()); waited += POLL_MS) {
    if (waited >= timeoutMs) throw notRunningError(kafka.brokers[0] ?? '')
    await setTimeout(POLL_MS)
  }
}

/**
 * A one-line error to report instead of connection errors, if a command failed because no broker listens at its address
 * on this machine; `null` if it failed for another reason.
 */
export async function nothingRuns(config: KafkaConfig, cause: unknown): Promise<Error | null> {
  const local = localBroker(config)
  if (local === null || !isConnectionError(cause) || (await answers(local.port))) return null
  return notRunningError(local.address)
}

const notRunningError = (address: string): Error =>
  new Error(`Kafka is not running at ${address}. Start it with \`story up\``)

/** The first broker, if it is on this machine. */
function localBroker({ kafka }: KafkaConfig): { readonly address: string; readonly port: number } | null {
  const [address = ''] = kafka.brokers
  const port = /^(?:127\.0\.0\.1|localhost):(\d+)$/.exec(address)?.[1]
  return port === undefined ? null : { address, port: Number(port) }
}

/** Whether the error or one of its causes is a connection error. */
function isConnectionError(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return /ECONNREFUSED|connection|connect /i.test(`${cause.name} ${cause.message}`) || isConnectionError(cause.cause)
}
