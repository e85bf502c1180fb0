import type { EachBatchPayload } from 'kafkajs'
import { expect, it } from 'vitest'
import { AssignedBatch } from './assigned-batch.ts'

it('commits by itself after a failure, since the offset of another batch may have been rejected', async () => {
  const alone: boolean[] = []
  let fails = true
  const payload = {
    batch: { topic: 't', partition: 0, messages: [], lastOffset: () => '4' },
    resolveOffset: () => null,
  }
  const batch = new AssignedBatch(payload as unknown as EachBatchPayload, {
    generation: 1,
    isAlive: () => true,
    commit: async (_, isAlone) => {
      alone.push(isAlone)
      if (fails) throw new Error('no such topic')
    },
  }).batch(() => 1)

  await expect(batch.commit(5)).rejects.toThrow('no such topic')
  await expect(batch.commit(5)).rejects.toThrow('no such topic')
  fails = false
  await batch.commit(5)
  await batch.commit(6)

  expect(alone).toEqual([false, true, true, false])
})
