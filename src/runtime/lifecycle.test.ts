import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { soon } from '../../test/builders/soon.ts'
import { createLifecycle } from './lifecycle.ts'

const never = { now: () => 0, sleep: () => new Promise<never>(() => undefined) }

const aLifecycle = (clock = never) => {
  const exit = vi.fn()
  return { exit, lifecycle: createLifecycle({ logger: pino({ level: 'silent' }), clock, graceMs: 1000, exit }) }
}

it('closes in the opposite order of opening, then exits with 0', async () => {
  const { exit, lifecycle } = aLifecycle()
  const closed: string[] = []
  for (const name of ['log', 'consumer']) lifecycle.opened(name, async () => void closed.push(name))

  lifecycle.onSignal('SIGTERM')

  await vi.waitFor(() => {
    expect(exit).toHaveBeenCalledExactlyOnceWith(0)
  }, soon)
  expect(closed).toEqual(['consumer', 'log'])
})

it('closes the rest when one thing cannot be closed', async () => {
  const { exit, lifecycle } = aLifecycle()
  const close = vi.fn(async () => undefined)
  lifecycle.opened('first', close)
  lifecycle.opened('second', () => Promise.reject(new Error('stuck')))

  lifecycle.onSignal('SIGTERM')

  await vi.waitFor(() => {
    expect(exit).toHaveBeenCalledWith(0)
  }, soon)
  expect(close).toHaveBeenCalledOnce()
})

it('exits at once with 1 at the second signal', () => {
  const { exit, lifecycle } = aLifecycle()
  lifecycle.opened('hanging', () => new Promise<never>(() => undefined))

  lifecycle.onSignal('SIGINT')
  expect(exit).not.toHaveBeenCalled()
  lifecycle.onSignal('SIGINT')

  expect(exit).toHaveBeenCalledExactlyOnceWith(1)
})

it('exits with 1 when a consumer has ended for good', async () => {
  const { exit, lifecycle } = aLifecycle()

  lifecycle.onCrash(new Error('gone'))

  await vi.waitFor(() => {
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
  }, soon)
})

it('does not wait longer than its grace', async () => {
  const { exit, lifecycle } = aLifecycle({
    ...never,
    sleep: () => Promise.resolve<never>(undefined as never),
  })
  lifecycle.opened('hanging', () => new Promise<never>(() => undefined))

  lifecycle.onSignal('SIGTERM')

  await vi.waitFor(() => {
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
  }, soon)
})
