import type { BaseLogger } from 'pino'
import type { Clock } from '../../ports/clock.ts'

/** Hears how calls of an engine end. */
export interface Outages {
  failed(engine: string, err: unknown): void
  answered(engine: string): void
}

/** An engine that fails in one call of many is away until it has not failed for so long. */
const QUIET_MS = 5_000

/** Logs once that an engine is unavailable, and once that it is back: a line for each request would flood it. */
export function outages(clock: Pick<Clock, 'now'>, logger: Pick<BaseLogger, 'info' | 'error'>): Outages {
  const away = new Map<string, { readonly since: number; failedAt: number }>()
  return {
    failed: (engine, err) => {
      const [outage, now] = [away.get(engine), clock.now()]
      if (outage !== undefined) outage.failedAt = now
      else {
        away.set(engine, { since: now, failedAt: now })
        logger.error({ engine, err }, 'engine_away')
      }
    },
    answered: (engine) => {
      const outage = away.size === 0 ? undefined : away.get(engine) // the usual way costs nothing
      if (outage === undefined || clock.now() - outage.failedAt < QUIET_MS) return
      away.delete(engine)
      logger.info({ engine, away_ms: clock.now() - outage.since }, 'engine_back')
    },
  }
}
