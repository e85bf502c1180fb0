import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { kafkaClient } from './client.ts'
import { changeClusters, clusterOf } from './cluster.ts'
import { cacheCoordinators } from './coordinators.ts'

const TRANSACTION = 1

/** A connection of a client that remembers, to a log that is asked with `ask`. */
function connection(ask: () => Promise<unknown>) {
  const client = kafkaClient({ brokers: ['127.0.0.1:1'], clientId: 'test' })
  changeClusters(client, (cluster) => (cluster.findGroupCoordinatorMetadata = ask))
  cacheCoordinators(client)
  return clusterOf(client)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('asks once who coordinates a transaction, and again after a moment', async () => {
  const ask = vi.fn(() => Promise.resolve({ coordinator: { nodeId: 7 } }))
  const cluster = connection(ask)
  const of = { groupId: 'linked-3', coordinatorType: TRANSACTION }
  await Promise.all([cluster.findGroupCoordinatorMetadata(of), cluster.findGroupCoordinatorMetadata(of)])
  expect(await cluster.findGroupCoordinatorMetadata(of)).toEqual({ coordinator: { nodeId: 7 } })
  expect(ask).toHaveBeenCalledTimes(1)

  vi.advanceTimersByTime(3_000)
  await cluster.findGroupCoordinatorMetadata(of)
  expect(ask).toHaveBeenCalledTimes(2)
})

it('takes a group for no transaction of its name', async () => {
  const ask = vi.fn(() => Promise.resolve({}))
  const cluster = connection(ask)
  await cluster.findGroupCoordinatorMetadata({ groupId: 'linked', coordinatorType: TRANSACTION })
  await cluster.findGroupCoordinatorMetadata({ groupId: 'linked', coordinatorType: 0 })
  expect(ask).toHaveBeenCalledTimes(2)
})

it('asks again at once where it was refused an answer', async () => {
  const ask = vi.fn(() => Promise.resolve({}))
  ask.mockRejectedValueOnce(new Error('away'))
  const cluster = connection(ask)
  const of = { groupId: 'linked-3', coordinatorType: TRANSACTION }
  await expect(cluster.findGroupCoordinatorMetadata(of)).rejects.toThrow('away')
  expect(await cluster.findGroupCoordinatorMetadata(of)).toEqual({})
})
