import type { Clock } from '../ports/clock.ts'

export interface Patience {
  readonly clock: Clock
  /** The log did not answer; it is asked again. */
  readonly onAway: (cause: unknown) => void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
/** A broker's restart takes seconds; after ten minutes a person should look. */
const PATIENCE_MS = 600_000

/** Asks the log until it answers. Throws when it has been away for ten minutes. */
export async function rideOut<Result>({ clock, onAway }: Patience, ask: () => Promise<Result>): Promise<Result> {
  const givesUpAt = clock.now() + PATIENCE_MS
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await ask()
    } catch (cause) {
      if (clock.now() >= givesUpAt) throw new Error('the log has been away for ten minutes', { cause })
      onAway(cause)
      await clock.sleep(wait)
    }
  }
}
