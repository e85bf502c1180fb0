import { setTimeout } from 'node:timers/promises'

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
