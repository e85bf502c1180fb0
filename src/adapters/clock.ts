import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    const ended = setTimeout(ms, undefined, signal === undefined ? {} : { signal })
    await ended.catch((cause: unknown) => {
      if (signal?.aborted !== true) throw cause
    })
  },
}
