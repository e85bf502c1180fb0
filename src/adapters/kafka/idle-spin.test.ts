import { createRequire } from 'node:module'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stopIdleSpin } from './idle-spin.ts'

interface IdleSpinQueue {
  pending: unknown[]
  throttledUntil: number
  checkPendingRequests(): void
  push(request: object): void
}

const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
  options: object,
) => IdleSpinQueue

const aQueue = () =>
  new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 1000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'test',
    logger: { debug: () => undefined },
  })

beforeEach(() => {
  vi.useFakeTimers({ now: 1000 })
  stopIdleSpin()
})
afterEach(() => {
  vi.useRealTimers()
})

it('sets no timer when nothing is pending', () => {
  aQueue().checkPendingRequests()

  expect(vi.getTimerCount()).toBe(0)
})

it('still sends what waits for a throttled broker', () => {
  const queue = aQueue()
  const sent = vi.fn()
  queue.throttledUntil = 1050
  queue.push({ entry: { correlationId: 1 }, expectResponse: true, sendRequest: sent, requestTimeout: 1000 })
  expect(sent).not.toHaveBeenCalled()

  vi.advanceTimersByTime(60)

  expect(sent).toHaveBeenCalledOnce()
})
