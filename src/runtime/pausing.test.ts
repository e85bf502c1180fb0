import { expect, it } from 'vitest'
import { pausing } from './held-memory.ts'

/** How often other tasks ran during `work`. */
async function turnsOfOthers(work: (pass: (ms: number) => void) => Promise<void>, now = { ms: 0 }) {
  let turns = 0
  let isDone = false
  const others = (): void => {
    if (isDone) return
    turns += 1
    setImmediate(others)
  }
  setImmediate(others)
  await work((ms) => {
    now.ms += ms
  })
  isDone = true
  return turns
}

it('lets others have their turn as soon as it is time for that, and not before', async () => {
  const now = { ms: 0 }
  const pause = pausing({ now: () => now.ms })
  const quick = await turnsOfOthers(async (pass) => {
    for (let i = 0; i < 7; i++) {
      pass(1)
      await pause()
    }
  }, now)
  expect(quick).toBe(0)

  const long = await turnsOfOthers(async (pass) => {
    for (let i = 0; i < 800; i++) {
      pass(1)
      await pause()
    }
  }, now)
  expect(long).toBeGreaterThanOrEqual(99)
})
