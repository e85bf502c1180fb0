import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

/** So long nobody else of the process has a turn, in milliseconds: an answer of the API has some ten of them to wait for. */
const TURN_MS = 8

/** Lets others of the process have their turn, where it is time for that. */
export type LoopPause = () => Promise<void>

export function pausing({ now }: Pick<Clock, 'now'>): LoopPause {
  let since = now()
  return async () => {
    if (now() - since < TURN_MS) return
    await setImmediate()
    since = now()
  }
}
