import { createRequire } from 'node:module'
import { expect, it, vi } from 'vitest'
import { followCoordinator, type OffsetManager } from './moved-coordinator.ts'

const { prototype } = createRequire(import.meta.url)('kafkajs/src/consumer/offsetManager') as {
  readonly prototype: OffsetManager
}
followCoordinator()

const OFFSETS = { topics: [{ topic: 'articles.ingested', partitions: [{ partition: 0, offset: '7' }] }] }

/** An offset manager that remembers a broker which refuses its commits. */
function refusedBy(type: string) {
  const offsetCommit = vi.fn(() => Promise.reject(Object.assign(new Error(type), { type })))
  const moved = { isConnected: () => true, offsetCommit: vi.fn(() => Promise.resolve()) }
  const findGroupCoordinator = vi.fn(() => Promise.resolve(moved))
  const manager = Object.assign(Object.create(prototype) as OffsetManager, {
    ...{ groupId: 'scored', generationId: 3, memberId: 'one', instrumentationEmitter: { emit: vi.fn() } },
    cluster: { findGroupCoordinator, refreshMetadata: () => Promise.resolve() },
    coordinator: { isConnected: () => true, offsetCommit },
    committedOffsets: () => ({}),
  })
  return { manager, moved, findGroupCoordinator }
}

it('commits to the broker that coordinates the group now, after another one refused', async () => {
  const { manager, moved, findGroupCoordinator } = refusedBy('NOT_COORDINATOR_FOR_GROUP')

  await expect(manager.commitOffsets(OFFSETS)).rejects.toThrow('NOT_COORDINATOR_FOR_GROUP')
  await manager.commitOffsets(OFFSETS).catch(() => undefined) // what kafkajs remembers of commits is not simulated

  expect(findGroupCoordinator.mock.calls).toEqual([[{ groupId: 'scored' }]])
  expect(moved.offsetCommit).toHaveBeenCalledWith(expect.objectContaining({ groupId: 'scored', memberId: 'one' }))
})

it('keeps the coordinator after any other error', async () => {
  const { manager, findGroupCoordinator } = refusedBy('ILLEGAL_GENERATION')

  await expect(manager.commitOffsets(OFFSETS)).rejects.toThrow('ILLEGAL_GENERATION')

  expect(findGroupCoordinator).not.toHaveBeenCalled()
})
