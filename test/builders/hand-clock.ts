import type { Clock } from '../../src/ports/clock.ts'

export interface HandClock extends Clock {
  /** Time passes: whoever slept until then wakes, in the order of their times. */
  pass(ms: number): void
}

/** Time that stands still until it is moved. */
export function aHandClock(start = 1_700_000_000_000): HandClock {
  let now = start
  const sleepers = new Map<() => void, number>()
  return {
    now: () => now,
    sleep: async (ms, signal) => {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          sleepers.delete(wake)
          resolve()
        }
        if (ms <= 0 || signal?.aborted === true) wake()
        else {
          sleepers.set(wake, now + ms)
          signal?.addEventListener('abort', wake, { once: true })
        }
      })
    },
    pass: (ms) => {
      now += ms
      for (const [wake] of [...sleepers].filter(([, until]) => until <= now).sort(([, a], [, b]) => a - b)) wake()
    },
  }
}
