import { describe, expect, it, vi } from 'vitest'
import { aDisk, recreateWithout, restored } from '../../test/builders/checkpoint-disk.ts'
import { DiskDouble } from '../../test/builders/disk-double.ts'
import { counted, countedMemory, say, wordsIn, wordsSaid, type TestRunning } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { CheckpointFailed } from '../ports/checkpoints.ts'
import { checkpointName } from '../state/checkpoint.ts'
import { takeOver } from './held-memory.ts'
import { runMemoryStage } from './run-memory-stage.ts'

const COPY = checkpointName({ stage: counted.name, partition: 0, version: counted.version })
const SAID = ['a', 'b', 'a', 'c', 'a', 'b']
const COUNTS = { a: 3, b: 2, c: 1 }

/** Runs the stage until everything is decided and copied. */
async function copied(running: TestRunning & { readonly checkpoints: DiskDouble }, end: number): Promise<void> {
  const consumer = await runMemoryStage(counted, running)
  await vi.waitFor(async () => {
    expect(await running.log.committed('counted', wordsSaid.name)).toEqual([end])
    const copy = await running.checkpoints.open(COPY)
    expect(copy.offset).toBe((await running.log.ends(countedMemory.name))[0])
  }, soon)
  await consumer.stop()
}

describe('a local copy of the changelog', () => {
  it('replaces all but the tail of the changelog in a restore', async () => {
    const running = aDisk()
    await say(running.log, SAID.slice(0, 4))
    await copied(running, 4)
    const withoutDisk = { ...running, checkpoints: null }
    const consumer = await runMemoryStage(counted, withoutDisk)
    const [end = 0] = await running.log.ends(countedMemory.name)
    await say(running.log, SAID.slice(4))
    await vi.waitFor(async () => {
      expect(await running.log.committed('counted', wordsSaid.name)).toEqual([6])
    }, soon)
    await consumer.stop()

    const { counts, offsets } = await restored(running)

    expect(counts).toEqual(COUNTS)
    expect(offsets.length).toBeGreaterThan(0)
    expect(offsets.every((offset) => offset >= end)).toBe(true)
    expect((await restored(running)).offsets).toEqual([]) // the restore has extended the copy
  })

  it('is made by an owner that has nothing to read', async () => {
    const first = aDisk()
    await say(first.log, SAID)
    await copied(first, 6)
    const running = { ...first, checkpoints: new DiskDouble() }

    await copied(running, 6)

    expect((await restored(running)).counts).toEqual(COUNTS)
  })

  it('loses an entry that the changelog has lost', async () => {
    const running = aDisk()
    await say(running.log, SAID)
    await copied(running, 6)
    await running.log.produce([{ topic: countedMemory.name, key: 'b', value: null }])

    expect((await restored(running)).counts).toEqual({ a: 3, c: 1 })
  })

  it('is discarded when the topic was created again', async () => {
    const running = aDisk()
    await say(running.log, SAID)
    await copied(running, 6)
    await recreateWithout('b', running)

    expect((await restored(running)).counts).toEqual({ a: 3, c: 1 })
  })

  it('is discarded by another version of the stage', async () => {
    const running = aDisk()
    await say(running.log, SAID)
    await copied(running, 6)

    const { counts, offsets } = await restored(running, { stage: { ...counted, version: `${counted.version}0` } })

    expect(counts).toEqual(COUNTS)
    expect(offsets[0]).toBe(0)
  })

  it('is discarded when the log has lost records that it holds', async () => {
    const running = aDisk()
    await say(running.log, SAID)
    await copied(running, 6)
    const known = running.memoryLog.records(countedMemory.name)[0]
    await running.log.produce([{ topic: countedMemory.name, key: 'z', value: known?.value ?? null }])
    await copied(running, 6)
    const { records } = running.memoryLog.partition(countedMemory.name, 0)
    const { offset } = records.pop() ?? { offset: 0 }
    const lost = Object.assign(Object.create(running.memoryLog) as typeof running.memoryLog, {
      epochEnd: async () => offset, // the leader of the old epoch had more than its successor
    })

    const { state } = await takeOver(counted, 0, { ...running, log: lost })

    expect(Object.fromEntries([...state].map(([word, { count }]) => [word, count]))).toEqual(COUNTS)
    const copy = await running.checkpoints.open(COPY)
    expect(copy.offset).toBe((await running.log.ends(countedMemory.name))[0])
  })

  it.each(['open', 'extend'])('that the disk fails to %s does not stop the stage', async (what) => {
    const broken = new DiskDouble(async (access) => {
      if (access.startsWith(what)) throw new CheckpointFailed('the disk is full')
    })
    const running = aDisk(broken)
    await say(running.log, SAID)

    const consumer = await runMemoryStage(counted, running)

    await vi.waitFor(async () => {
      expect(await running.log.committed('counted', wordsSaid.name)).toEqual([6])
    }, soon)
    await consumer.stop()
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual([
      'a 1',
      'b 1',
      'a 2',
      'c 1',
      'a 3',
      'b 2',
    ])
    expect((await restored(running)).counts).toEqual(COUNTS)
  })
})
