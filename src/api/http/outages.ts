import type { BaseLogger } from 'pino'
import type { Clock } from '../../ports/clock.ts'

/** Receives the results of calls to an engine. */
export interface Outages {
  failed(engine: string, err: unknown): void
  answered(engine: string): void
}

/**
 * An engine counts as unavailable until it has had no failure for this long: during an outage some calls may succeed.
 */
const QUIET_MS = 5_000

/** Logs once when an engine becomes unavailable and once when it recovers. A line per request would flood the log. */
export function outages(clock: Pick<Clock, 'now'>, logger: Pick<BaseLogger, 'info' | 'error'>): Outages {
  const current = new Map<string, { readonly since: number; failedAt: number }>()
  return {
    failed: (engine, err) => {
      const [outage, now] = [current.get(engine), clock.now()]
      if (outage !== undefined) outage.failedAt = now
      else {
        current.set(engine, { since: now, failedAt: now })
        logger.error({ engine, err }, 'engine_away')
      }
    },
    answered: (engine) => {
      const outage = current.size === 0 ? undefined : current.get(engine) // no cost if there is no outage
      if (outage === undefined || clock.now() - outage.failedAt < QUIET_MS) return
      current.delete(engine)
      logger.info({ engine, away_ms: clock.now() - outage.since }, 'engine_back')
    },
  }
}
