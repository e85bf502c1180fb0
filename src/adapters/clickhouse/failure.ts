import { setTimeout } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'

/** What a failure of the store means: `later`, trying again may help; `too_large`, asking for less would; `defect`, ours. */
export type ClickhouseFailure = 'later' | 'too_large' | 'defect'

/**
 * Too slow, too busy, out of memory, read-only, too few replicas alive, or a replica that lacks what a sequential read
 * needs (289): the server's ways of saying "later".
 */
const LATER = new Set('159 160 202 209 210 241 242 252 285 286 289 319 394 425 439 999'.split(' '))
/** Too many rows or bytes to read or to answer with. */
const TOO_LARGE = new Set(['158', '191', '307', '396'])

const MEMORY_LIMIT_EXCEEDED = '241'
/** The limit of the query itself, as servers up to 25.2 and later ones put it; the others are the user's and the server's. */
const OF_THE_QUERY = /memory limit \(for query\) exceeded|query memory limit exceeded/i

export function failureOf(cause: unknown): ClickhouseFailure {
  if (!(cause instanceof ClickHouseError)) return isConnection(cause) ? 'later' : 'defect'
  if (TOO_LARGE.has(cause.code)) return 'too_large'
  if (cause.code === MEMORY_LIMIT_EXCEEDED && OF_THE_QUERY.test(cause.message)) return 'too_large'
  return LATER.has(cause.code) ? 'later' : 'defect'
}

/** Node's and the client's own errors of a connection; a row that does not parse is neither. */
const isConnection = (cause: unknown): boolean =>
  cause instanceof Error &&
  (('code' in cause && typeof cause.code === 'string') || /time(d )?out|socket|aborted/i.test(cause.message))

/** A planned restart (for a new analyst of the embedded server) takes one or two seconds. */
const RESTART_MS = 5_000
const PAUSE_MS = 100

/**
 * Repeats a read while the server accepts no connection, until it has been away for `restartMs`; from then on reads fail at
 * once, until one succeeds. Only for what may be done twice.
 */
export function throughRestart(restartMs = RESTART_MS): <Out>(read: () => Promise<Out>) => Promise<Out> {
  let awaySince: number | null = null
  return async (read) => {
    for (;;) {
      try {
        const answer = await read()
        awaySince = null
        return answer
      } catch (cause) {
        if (!isCutOff(cause)) throw cause
        awaySince ??= performance.now()
        if (performance.now() - awaySince > restartMs) throw cause
        await setTimeout(PAUSE_MS)
      }
    }
  }
}

/** No connection, or one that ended before the answer; a timeout is neither. */
const isCutOff = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /^(ECONNREFUSED|ECONNRESET|EPIPE)$/.test(String(cause.code))
