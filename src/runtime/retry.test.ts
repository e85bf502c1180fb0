import { expect, it, vi } from 'vitest'
import { backoffMs, insist, Stale, Stopped, type RetryOptions } from './retry.ts'
import { defaultLimits } from './running.ts'

const how = (more: Partial<RetryOptions> = {}): RetryOptions => ({
  clock: { now: () => 0, sleep: () => Promise.resolve() },
  limits: defaultLimits,
  signal: new AbortController().signal,
  stillOurs: async () => true,
  onFailure: () => undefined,
  ...more,
})

it('doubles the longest wait up to the limit, and waits anything up to it', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  expect([1, 2, 3, 20].map((n) => backoffMs(n, defaultLimits))).toEqual([200, 400, 800, 15_000])
  random.mockReturnValue(0)
  expect(backoffMs(5, defaultLimits)).toBe(0)
  random.mockRestore()
})

it('keeps the membership alive through a long wait', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  const stillOurs = vi.fn(async () => true)
  let failures = 7
  await insist(
    'step',
    async () => {
      if (failures-- > 0) throw new Error('away')
    },
    how({ stillOurs }),
  )

  // 0.2 + 0.4 + 0.8 s, then 1.6, 3.2, 6.4 and 12.8 s, in steps of one second
  expect(stillOurs).toHaveBeenCalledTimes(3 + 2 + 4 + 7 + 13)
  random.mockRestore()
})

it('gives up when the partition was taken away meanwhile, or when we stop', async () => {
  const fails = () => Promise.reject(new Error('away'))
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  const stopping = new AbortController()

  await expect(insist('step', fails, how({ stillOurs: async () => false }))).rejects.toThrow(Stale)
  const stopped = insist(
    'step',
    fails,
    how({
      signal: stopping.signal,
      onFailure: () => {
        stopping.abort()
      },
    }),
  )
  await expect(stopped).rejects.toThrow(Stopped)
  random.mockRestore()
})
