import { expect, it, vi } from 'vitest'
import { aRunning, counted, say, wordsSaid } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import type { RuntimePorts } from './running.ts'

const reportedPartitions = async ({ metrics }: RuntimePorts): Promise<readonly (string | undefined)[]> =>
  [...(await metrics.page()).matchAll(/^story_lag_records\{.*partition="(\d)"/gm)]
    .map(([, partition]) => partition)
    .sort()

it('the lag of a partition is told by the process that has it, and by no other', async () => {
  const memoryLog = new MemoryLog({ partitions: () => 2 })
  const [one, other] = [aRunning({ memoryLog }), aRunning({ memoryLog })]
  const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  await say(memoryLog, words)
  expect((await memoryLog.ends(wordsSaid.name)).every((end) => end > 0)).toBe(true)

  const consumers = [await runMemoryStage(counted, one)]
  await vi.waitFor(async () => expect(await reportedPartitions(one)).toEqual(['0', '1']), soon)
  consumers.push(await runMemoryStage(counted, other))

  await vi.waitFor(async () => {
    await say(memoryLog, words)
    expect([...(await reportedPartitions(one)), ...(await reportedPartitions(other))].sort()).toEqual(['0', '1'])
    expect(await reportedPartitions(other)).toHaveLength(1)
  }, soon)
  for (const consumer of consumers) await consumer.stop()
})
