import type { Config } from '../config.ts'
import { answers } from '../engines/free-port.ts'

/**
 * One line instead of errors of connections, where a command failed because nobody listens at the broker's address on this
 * machine; null: it failed for another reason.
 */
export async function nothingRuns({ kafka }: Pick<Config, 'kafka'>, cause: unknown): Promise<Error | null> {
  if (!isOfConnection(cause)) return null
  const [broker = ''] = kafka.brokers
  const [host = '', port = ''] = broker.split(':')
  if (!/^(127\.0\.0\.1|localhost)$/.test(host) || (await answers(Number(port)))) return null
  return new Error(`nothing runs at ${broker}: start it with \`story up\``)
}

/** In an error or in what led to it. */
function isOfConnection(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return /ECONNREFUSED|connection|connect /i.test(`${cause.name} ${cause.message}`) || isOfConnection(cause.cause)
}
