import { progressOn } from '../../sources/progress.ts'
import { eta } from '../eta.ts'
import type { Wiring } from '../../ports/wiring.ts'

export interface ArchiveProgress {
  /** So much more is done. */
  readonly done: (count: number) => void
  readonly end: () => void
}

/** Says on stderr how far long work is, and how long still. */
export function saying(
  { clock, out }: Wiring,
  { whole, of }: { readonly whole: number; readonly of: string },
): ArchiveProgress {
  const begun = clock.now()
  const progress = progressOn({ live: process.stderr.isTTY, say: (text) => out.progress(text) }, clock)
  let done = 0
  return {
    done: (count) => {
      done += count
      progress.update(() => eta({ done, whole, elapsedMs: clock.now() - begun, of }))
    },
    end: () => {
      progress.end()
    },
  }
}
