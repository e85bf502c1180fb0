import { setTimeout } from 'node:timers/promises'

/**
 * Retries until there is a result; an error counts as none yet. Gives up after four minutes. Waits three
 * times as long as an attempt took, so that a costly one (a CLI command) leaves the cores to what it waits for.
 */
export async function until<Answer>(what: string, ask: () => Promise<Answer | null>): Promise<Answer> {
  const deadline = performance.now() + 240_000
  let last: unknown
  while (performance.now() < deadline) {
    const began = performance.now()
    const answer = await ask().catch((cause: unknown) => {
      last = cause
      return null
    })
    if (answer !== null) return answer
    await setTimeout(Math.max(100, 3 * (performance.now() - began)))
  }
  throw new Error(`not within four minutes: ${what}`, { cause: last })
}
