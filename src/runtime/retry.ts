import type { Clock } from '../ports/clock.ts'
import type { Limits } from './running.ts'

/** Not to be tried again by the one who meets it: pass it on. */
export class GivenUp extends Error {
  override readonly name: string = 'GivenUp'
}

/** We are shutting down: what is not committed will be done again. */
export class Stopped extends GivenUp {
  override readonly name = 'Stopped'
}

/** The partition was taken away: another consumer does this batch, and we must write nothing of it. */
export class Stale extends GivenUp {
  override readonly name = 'Stale'
}

export interface RetryFailure {
  readonly step: string
  readonly cause: unknown
  /** From 1. */
  readonly attempt: number
  readonly waitMs: number
}

/** What goes on while we wait. */
export interface Insisting {
  readonly clock: Clock
  readonly limits: Limits
  readonly signal: AbortSignal
  /** Says that we are alive; false when the partition was taken away meanwhile. */
  stillOurs(): Promise<boolean>
  onFailure(failure: RetryFailure): void
}

/**
 * Tries a step for ever: a failure pauses it, backs off with full jitter and keeps the membership alive meanwhile.
 * When we stop, what is in hand still gets its first try, so that it is finished and not done twice.
 */
export async function insist<Result>(step: string, attempt: () => Promise<Result>, how: Insisting): Promise<Result> {
  for (let failures = 0; ;) {
    if (failures > 0 && how.signal.aborted) throw new Stopped(`stopped before ${step} succeeded`)
    try {
      return await attempt()
    } catch (cause) {
      if (cause instanceof GivenUp) throw cause
      failures += 1
      const waitMs = backoffMs(failures, how.limits)
      how.onFailure({ step, cause, attempt: failures, waitMs })
      await pause(waitMs, how)
    }
  }
}

/** Full jitter: anything up to the exponential, so that many that failed together do not return together. */
export function backoffMs(failures: number, { firstBackoffMs, longestBackoffMs }: Limits): number {
  const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1))
  return Math.random() * most
}

async function pause(ms: number, how: Insisting): Promise<void> {
  for (let left = ms; left > 0 && !how.signal.aborted; left -= how.limits.heartbeatMs) {
    await how.clock.sleep(Math.min(left, how.limits.heartbeatMs), how.signal)
    if (!(await how.stillOurs())) throw new Stale('the partition was revoked while waiting')
  }
}
