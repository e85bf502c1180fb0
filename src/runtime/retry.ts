import type { Clock } from '../ports/clock.ts'
import type { Limits } from './running.ts'

/** An error that must not be retried: rethrow it. */
export class GivenUp extends Error {
  override readonly name: string = 'GivenUp'
}

/** The process is stopping; what is not committed will be processed again. */
export class Stopped extends GivenUp {
  override readonly name = 'Stopped'
}

/** The partition was revoked: another consumer processes this batch, so nothing of it may be written here. */
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

/** What happens between two attempts. */
export interface RetryOptions {
  readonly clock: Clock
  readonly limits: Limits
  readonly signal: AbortSignal
  /** Sends a heartbeat; `false` if the partition was revoked meanwhile. */
  stillOurs(): Promise<boolean>
  onFailure(failure: RetryFailure): void
}

/**
 * Retries a step without limit, with full-jitter back-off and heartbeats between attempts. While the process is
 * stopping, a step still gets its first attempt, so that the part is finished and not repeated.
 */
export async function insist<Result>(step: string, attempt: () => Promise<Result>, how: RetryOptions): Promise<Result> {
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

/** Full jitter: a random wait up to the exponential limit, so that consumers that failed together do not retry together. */
export function backoffMs(failures: number, { firstBackoffMs, longestBackoffMs }: Limits): number {
  const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1))
  return Math.random() * most
}

async function pause(ms: number, how: RetryOptions): Promise<void> {
  for (let left = ms; left > 0 && !how.signal.aborted; left -= how.limits.heartbeatMs) {
    await how.clock.sleep(Math.min(left, how.limits.heartbeatMs), how.signal)
    if (!(await how.stillOurs())) throw new Stale('the partition was revoked while waiting')
  }
}
