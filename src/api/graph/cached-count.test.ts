import { expect, it } from 'vitest'
import { aHandMovedClock } from '../../../test/builders/api.ts'
import { cachedCount, type CountRequest } from './cached-count.ts'

const NOW: CountRequest = { namespace: 'shared', as_of: 0, as_of_given: false }

function counting() {
  const clock = aHandMovedClock(0)
  const calls: CountRequest[] = []
  const once = cachedCount(clock, async (one) => {
    calls.push(one)
    if (one.namespace === 'away' && calls.length === 1) throw new Error('the store is away')
    return Promise.resolve(calls.length)
  })
  return { clock, calls, once }
}

it('holds for ten seconds, by namespace', async () => {
  const { clock, calls, once } = counting()

  expect(await Promise.all([once(NOW), once({ ...NOW, as_of: 5 })])).toEqual([1, 1])
  await clock.advance(9_999)
  expect(await once({ ...NOW, as_of: 9_999 })).toBe(1)
  expect(await once({ ...NOW, namespace: 'newsroom' })).toBe(2)
  await clock.advance(1)
  expect(await once(NOW)).toBe(3)
  expect(calls).toHaveLength(3)
})

it('of another moment is shared while it is counted, and not kept', async () => {
  const { once } = counting()
  const then = { ...NOW, as_of: 7, as_of_given: true }

  expect(await Promise.all([once(then), once(then), once({ ...then, as_of: 8 })])).toEqual([1, 1, 2])
  expect(await once(then)).toBe(3)
})

it('forgets a failure', async () => {
  const { once } = counting()
  const away = { ...NOW, namespace: 'away' }

  await expect(once(away)).rejects.toThrow('the store is away')
  expect(await once(away)).toBe(2)
})
