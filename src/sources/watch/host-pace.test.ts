import { expect, it } from 'vitest'
import { aHandMovedClock, settled } from '../../../test/builders/api.ts'
import { HostPace } from './host-pace.ts'

/** A pace of two seconds, and the times at which requests began. */
function aPace() {
  const clock = aHandMovedClock(0)
  const pace = new HostPace(clock, 2_000)
  const began: string[] = []
  const ask = (host: string, takesMs = 0, signal = new AbortController().signal, delayMs?: number) =>
    pace.inTurn(host, delayMs === undefined ? { signal } : { signal, delayMs }, async () => {
      began.push(`${host} ${clock.now()}`)
      if (takesMs > 0) await clock.sleep(takesMs)
    })
  return { clock, began, ask }
}

it('begins a request after the one before ended and the delay passed', async () => {
  const { clock, began, ask } = aPace()
  const all = Promise.all([ask('a', 5_000), ask('a'), ask('a')])

  await settled()
  await clock.advance(5_000)
  await clock.advance(1_999)
  expect(began).toEqual(['a 0'])
  await clock.advance(1)
  await clock.advance(2_000)
  await all

  expect(began).toEqual(['a 0', 'a 7000', 'a 9000'])
})

it('never lets a host wait for another', async () => {
  const { began, ask } = aPace()

  void ask('a', 60_000)
  await ask('b')

  expect(began).toEqual(['a 0', 'b 0'])
})

it('waits longer where a host asks for it', async () => {
  const { clock, began, ask } = aPace()
  await ask('a')
  const second = ask('a', 0, undefined, 10_000)

  await clock.advance(9_999)
  expect(began).toHaveLength(1)
  await clock.advance(1)
  await second

  expect(began).toEqual(['a 0', 'a 10000'])
})

it('makes no request whose signal aborts while it waits, and then the next one', async () => {
  const { clock, began, ask } = aPace()
  const ending = new AbortController()
  await ask('a')
  const aborted = ask('a', 0, ending.signal).catch(() => 'aborted')
  const next = ask('a')

  ending.abort()
  expect(await aborted).toBe('aborted')
  await clock.advance(2_000)
  await next

  expect(began).toEqual(['a 0', 'a 2000'])
})

it('goes on after a request that throws', async () => {
  const clock = aHandMovedClock(0)
  const pace = new HostPace(clock, 0)
  const { signal } = new AbortController()

  await expect(pace.inTurn('a', { signal }, () => Promise.reject(new Error('reset')))).rejects.toThrow('reset')

  expect(await pace.inTurn('a', { signal }, () => Promise.resolve('fine'))).toBe('fine')
})
