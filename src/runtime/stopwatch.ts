import type { Clock } from '../ports/clock.ts'

/** Adds up the time of several steps, in milliseconds. */
export function stopwatch({ now }: Pick<Clock, 'now'>) {
  let total = 0
  return {
    ms: () => total,
    during: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const started = now()
      const result = await work()
      total += now() - started
      return result
    },
  }
}
