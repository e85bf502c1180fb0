import type { Clock } from '../ports/clock.ts'

export interface RetryPorts {
  readonly clock: Clock
  /** The log did not answer and is asked again. Throws to end the retries: what it throws is the caller's error. */
  readonly onAway: (cause: unknown) => void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
/** A broker's restart takes seconds; after ten minutes a person should look. */
const TIMEOUT_MS = 600_000

/** Sends a request to the log until it answers. Throws when it has been away for ten minutes. */
export async function retryWhileAway<Result>(
  { clock, onAway }: RetryPorts,
  request: () => Promise<Result>,
): Promise<Result> {
  const givesUpAt = clock.now() + TIMEOUT_MS
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await request()
    } catch (cause) {
      if (clock.now() >= givesUpAt) throw new Error('the log has been away for ten minutes', { cause })
      onAway(cause)
      await clock.sleep(wait)
    }
  }
}
