import { expect, it } from 'vitest'
import { runUntilOneEnds } from './started-process.ts'

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

it('ends all works when one fails, and throws its failure once they have ended', async () => {
  let ended = false
  const works = [
    async (signal: AbortSignal) => {
      await untilAborted(signal)
      ended = true
    },
    () => Promise.reject(new Error('the log is gone')),
  ]

  await expect(runUntilOneEnds(new AbortController().signal, works)).rejects.toThrow('the log is gone')
  expect(ended).toBe(true)
})

it('ends all works with the signal, also where it was aborted before', async () => {
  const stop = new AbortController()
  const working = runUntilOneEnds(stop.signal, [untilAborted, untilAborted])
  stop.abort()
  await working

  let wasAborted = false
  const late = async (signal: AbortSignal): Promise<void> => {
    wasAborted = signal.aborted
    await Promise.resolve()
  }
  await runUntilOneEnds(stop.signal, [late])
  expect(wasAborted).toBe(true)
})
