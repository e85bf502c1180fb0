import { setTimeout } from 'node:timers/promises'

/** Asks again until there is an answer; a failure while asking counts as none yet. Gives up after two minutes. */
export async function until<Answer>(what: string, ask: () => Promise<Answer | null>): Promise<Answer> {
  const deadline = performance.now() + 120_000
  let last: unknown
  while (performance.now() < deadline) {
    const answer = await ask().catch((cause: unknown) => {
      last = cause
      return null
    })
    if (answer !== null) return answer
    await setTimeout(100)
  }
  throw new Error(`not within two minutes: ${what}`, { cause: last })
}
