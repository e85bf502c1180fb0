import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/ports/clock.ts'
import { countBefore } from '../../src/state/binary-search.ts'

export interface WorkingClock extends Clock {
  /** Time jumps to whoever sleeps shortest as soon as nothing else is to be done, until `until`. */
  runUntil(until: number): Promise<void>
  /** Time stands still during work that takes real time, such as a request over a socket. */
  during<Result>(work: Promise<Result>): Promise<Result>
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
  isAwake: boolean
}

/** A clock that advances as fast as work is done: days pass in seconds. */
export function aWorkingClock(start: number): WorkingClock {
  let now = start
  /** Those that sleep longest first. */
  const sleepers: Sleeper[] = []
  const working = new Set<Promise<unknown>>()
  const idle = async (): Promise<void> => {
    await setImmediate()
    while (working.size > 0) {
      await Promise.race(working)
      await setImmediate()
    }
  }
  const nextSleeper = (): Sleeper | undefined => {
    while (sleepers.at(-1)?.isAwake === true) sleepers.pop()
    return sleepers.at(-1)
  }
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise<void>((resolve) => {
        if (ms <= 0 || signal?.aborted === true) {
          resolve()
          return
        }
        const wake = (): void => {
          sleeper.isAwake = true
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper: Sleeper = { until: now + ms, wake, isAwake: false }
        const at = countBefore(sleepers.length, (i) => (sleepers[i]?.until ?? 0) > sleeper.until)
        sleepers.splice(at, 0, sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    during: async (work) => {
      const settled = work.then(
        () => undefined,
        () => undefined,
      )
      working.add(settled)
      try {
        return await work
      } finally {
        working.delete(settled)
      }
    },
    runUntil: async (until) => {
      for (;;) {
        await idle()
        const next = nextSleeper()?.until ?? Infinity
        now = Math.max(now, Math.min(next, until))
        if (next > until) return
        for (let due = nextSleeper(); due !== undefined && due.until <= now; due = nextSleeper()) due.wake()
      }
    },
  }
}
