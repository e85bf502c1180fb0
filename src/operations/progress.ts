import type { Wiring } from '../ports/wiring.ts'
import { bar, progressOn, type Progress } from '../sources/progress.ts'

/** The progress of a long operation. */
interface Advance {
  readonly done: number
  /** `null` if unknown. */
  readonly whole: number | null
  readonly elapsedMs: number
  /** The unit that is counted, such as `records`. */
  readonly of: string
}

/** `[######------------------]  25 % 2500 of 10000 records, 830/s, about 10 s left`. */
export function eta({ done, whole, elapsedMs, of }: Advance): string {
  const rate = elapsedMs === 0 ? 0 : (done / elapsedMs) * 1000
  const counted = whole === null ? `${done} ${of}` : `${done} of ${whole} ${of}`
  const left = whole === null || rate === 0 ? '' : `, about ${Math.ceil(Math.max(0, whole - done) / rate)} s left`
  return `${bar(done, whole)}${counted}, ${Math.round(rate)}/s${left}`
}

/** Prints the progress of a command on stderr, in place if it is a terminal. */
export const progressOf = ({ clock, out }: Pick<Wiring, 'clock' | 'out'>): Progress =>
  progressOn({ live: process.stderr.isTTY, say: (text) => out.progress(text) }, clock)

/**
 * Prints how far counted work is, and the estimated time left. `done` takes the number of items since its last call.
 */
export function countedProgress(wiring: Wiring, { whole, of }: Pick<Advance, 'whole' | 'of'>) {
  const { clock } = wiring
  const begun = clock.now()
  const progress = progressOf(wiring)
  let done = 0
  return {
    done: (count: number): void => {
      done += count
      progress.update(() => eta({ done, whole, elapsedMs: clock.now() - begun, of }))
    },
    end: (): void => progress.end(),
  }
}
