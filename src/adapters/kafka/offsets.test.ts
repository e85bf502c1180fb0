import type { Kafka } from 'kafkajs'
import { expect, it, vi } from 'vitest'
import { KafkaOffsets } from './offsets.ts'

const saying = (type: string): Error => Object.assign(new Error(type), { type })

/** A broker that answers with what it is given, one answer after the other. */
function aBroker(fetchOffsets: () => Promise<unknown>) {
  const admin = { connect: async () => undefined, disconnect: async () => undefined, fetchOffsets }
  return new KafkaOffsets(() => ({ admin: () => admin }) as unknown as Kafka)
}

const FOUND = [{ partitions: [{ partition: 0, offset: '7', metadata: '' }] }]

it('asks again while a broker does not know yet whose a group is', async () => {
  const fetchOffsets = vi
    .fn<() => Promise<unknown>>()
    .mockRejectedValueOnce(saying('NOT_COORDINATOR_FOR_GROUP'))
    .mockRejectedValueOnce(saying('GROUP_LOAD_IN_PROGRESS'))
    .mockResolvedValue(FOUND)

  expect(await aBroker(fetchOffsets).committed('scored', 'articles.ingested')).toEqual([{ offset: 7, note: null }])
  expect(fetchOffsets).toHaveBeenCalledTimes(3)
})

it('tells any other error at once', async () => {
  const fetchOffsets = vi.fn(() => Promise.reject(saying('GROUP_AUTHORIZATION_FAILED')))

  await expect(aBroker(fetchOffsets).committed('scored', 'articles.ingested')).rejects.toThrow(
    'did not say its offsets',
  )
  expect(fetchOffsets).toHaveBeenCalledTimes(1)
})
