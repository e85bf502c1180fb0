import { setTimeout } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'

/**
 * How to react to a failure of the store. `later`: a retry may succeed. `too_large`: a smaller query may succeed.
 * `defect`: a bug in this service.
 */
export type ClickhouseFailure = 'later' | 'too_large' | 'defect'

/**
 * ClickHouse error codes of temporary conditions: timeout, too many queries, out of memory, read-only, a shard that does
 * not respond (279), too few live replicas, or a replica that lags behind a sequential read (289).
 */
const LATER = new Set('159 160 202 209 210 241 242 252 279 285 286 289 319 394 425 439 999'.split(' '))
/** ClickHouse error codes of a shard that does not respond: time-out, network error, no connection. */
const SHARD_AWAY = new Set(['209', '210', '279'])
/** ClickHouse error codes for a query that reads or returns too many rows or bytes. */
const TOO_LARGE = new Set(['158', '191', '307', '396'])

const MEMORY_LIMIT_EXCEEDED = '241'
/** Memory limit of the query itself, in the wording up to 25.2 and after. Other limits are per user or per server. */
const OF_THE_QUERY = /memory limit \(for query\) exceeded|query memory limit exceeded/i

export function failureOf(cause: unknown): ClickhouseFailure {
  if (!(cause instanceof ClickHouseError)) return isConnection(cause) ? 'later' : 'defect'
  if (TOO_LARGE.has(cause.code)) return 'too_large'
  if (cause.code === MEMORY_LIMIT_EXCEEDED && OF_THE_QUERY.test(cause.message)) return 'too_large'
  return LATER.has(cause.code) ? 'later' : 'defect'
}

/** Whether a temporary failure is that a query exceeded its time (`max_execution_time`). */
export const isTooSlow = (cause: unknown): boolean => cause instanceof ClickHouseError && cause.code === '159'

/** Whether a temporary failure is that the server, or one of its shards, does not respond. */
export const isUnreachable = (cause: unknown): boolean =>
  !(cause instanceof ClickHouseError) || SHARD_AWAY.has(cause.code)

/** Connection errors of Node and the ClickHouse client. A row that fails to parse is not one. */
const isConnection = (cause: unknown): boolean =>
  cause instanceof Error &&
  (('code' in cause && typeof cause.code === 'string') || /time(d )?out|socket|aborted/i.test(cause.message))

/** A planned restart of the embedded server (to add an analyst account) takes one or two seconds. */
const RESTART_MS = 5_000
const PAUSE_MS = 100

/**
 * Retries a read while the server refuses connections, up to `restartMs` after the first failure. After that, reads
 * fail immediately until one succeeds. Only for idempotent operations.
 */
export function throughRestart(restartMs = RESTART_MS): <Out>(read: () => Promise<Out>) => Promise<Out> {
  let failingSince: number | null = null
  return async (read) => {
    for (;;) {
      try {
        const answer = await read()
        failingSince = null
        return answer
      } catch (cause) {
        if (!isCutOff(cause)) throw cause
        failingSince ??= performance.now()
        if (performance.now() - failingSince > restartMs) throw cause
        await setTimeout(PAUSE_MS)
      }
    }
  }
}

/** The connection was refused, or closed before the response. Timeouts do not count. */
const isCutOff = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /^(ECONNREFUSED|ECONNRESET|EPIPE)$/.test(String(cause.code))
