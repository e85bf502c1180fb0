import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { recreateWithout, restored } from '../../test/builders/checkpoint-disk.ts'
import { DiskDouble } from '../../test/builders/disk-double.ts'
import {
  aRunning,
  counted,
  countedMemory,
  countedSaved,
  savedWords,
  say,
  wordsSaid,
  type TestRunning,
} from '../../test/builders/running.ts'
import { SAVED_UP_TO } from '../../test/contracts/snapshots.ts'
import { soon } from '../../test/builders/soon.ts'
import { systemClock } from '../adapters/clock.ts'
import { CheckpointFailed } from '../ports/checkpoints.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import { WarmStates } from './warm-states.ts'

const NAME = 'counted-0-v1'
const SAID = ['a', 'b', 'a', 'c', 'a', 'b']
const COUNTS = { a: 3, b: 2, c: 1 }

/** A process that saves its states whenever they change. */
const aDisk = (disk = new DiskDouble(), leastSavedBytes = 1) => ({
  ...aRunning({ clock: systemClock, limits: { checkpointMs: 5, leastSavedBytes } }),
  checkpoints: disk,
})
type ADisk = ReturnType<typeof aDisk>

/** Runs a stage until the words are decided. */
async function decided(running: TestRunning, words: readonly string[], stage = countedSaved): Promise<void> {
  const [before = 0] = await running.log.ends(wordsSaid.name)
  await say(running.log, words)
  const consumer = await runMemoryStage(stage, running)
  await untilRead(running, before + words.length)
  await consumer.stop()
}

const untilRead = (running: TestRunning, end: number) =>
  vi.waitFor(async () => {
    expect(await running.log.committed('counted', wordsSaid.name)).toEqual([end])
  }, soon)

const savedOffset = async ({ checkpoints }: ADisk): Promise<number | null> =>
  (await checkpoints.snapshots.open(NAME))?.savedUpTo.offset ?? null

const restoredBy = (running: TestRunning, stage = countedSaved) => restored(running, { stage })

describe('a saved state', () => {
  it('replaces all but the tail of the changelog in a restore', async () => {
    const running = aDisk()
    await decided(running, SAID.slice(0, 4))
    const [end = 0] = await running.log.ends(countedMemory.name)
    await decided({ ...running, checkpoints: null }, SAID.slice(4))

    const { counts, offsets } = await restoredBy(running)

    expect(counts).toEqual(COUNTS)
    expect(offsets.length).toBeGreaterThan(0)
    expect(offsets.every((offset) => offset >= end)).toBe(true)
  })

  it('is there while the stage runs, and no changelog is copied', async () => {
    const running = aDisk()
    await say(running.log, SAID)
    const consumer = await runMemoryStage(countedSaved, running)

    await vi.waitFor(async () => expect(await savedOffset(running)).not.toBeNull(), soon)

    expect(await running.checkpoints.names()).toEqual([])
    await consumer.stop()
  })

  it('is written when the stage stops, even if little has changed', async () => {
    const running = aDisk(new DiskDouble(), 1_000_000)
    await say(running.log, SAID)
    const consumer = await runMemoryStage(countedSaved, running)
    await untilRead(running, 6)
    expect(await savedOffset(running)).toBeNull()

    await consumer.stop()

    expect(await restoredBy(running)).toEqual({ counts: COUNTS, offsets: [] })
  })

  it('is not written again before enough has changed', async () => {
    const running = aDisk(new DiskDouble(), 1_000)
    await decided(running, SAID)
    const saved = await savedOffset(running)
    await say(running.log, ['a'])
    const consumer = await runMemoryStage(countedSaved, running)
    await untilRead(running, 7)

    expect(await savedOffset(running)).toBe(saved)
    await consumer.stop()
    expect(await savedOffset(running)).toBeGreaterThan(saved ?? Infinity)
  })

  it('is not written by a process that has lost its partition', async () => {
    const first = aDisk(new DiskDouble(), 1_000_000)
    await say(first.log, SAID)
    const owner = await runMemoryStage(countedSaved, first)
    await untilRead(first, 6)
    const writer = await first.log.writer('counted-0') // another process owns it now
    const records = [{ topic: countedMemory.name, key: 'b', value: null, partition: 0 }]
    await writer.write(records, { group: 'counted', next: [{ topic: wordsSaid.name, partition: 0, offset: 6 }] })

    await owner.stop()

    expect(await savedOffset(first)).toBeNull()
    expect((await restoredBy(first)).counts).toEqual({ a: 3, c: 1 })
  })

  it('is not written by an owner whose changelog was created again: it restores what is there now', async () => {
    const running = aDisk()
    await say(running.log, SAID)
    const owner = await runMemoryStage(countedSaved, running)
    await untilRead(running, 6)
    await recreateWithout('b', running)
    await say(running.log, ['c'])
    await untilRead(running, 7)

    await owner.stop()

    expect((await restoredBy(running)).counts).toEqual((await restoredBy({ ...running, checkpoints: null })).counts)
  })

  it('is written later if the log is away: the state stays in memory', async () => {
    const running = aDisk()
    const writer = vi.spyOn(running.log, 'writer')
    const incarnation = vi.spyOn(running.log, 'incarnation')
    await say(running.log, SAID.slice(0, 3))
    const owner = await runMemoryStage(countedSaved, running)
    await untilRead(running, 3)
    incarnation.mockRejectedValue(new Error('no broker'))
    await say(running.log, SAID.slice(3))
    await untilRead(running, 6)
    incarnation.mockRestore()

    await owner.stop()

    expect(writer).toHaveBeenCalledOnce()
    expect(await restoredBy(running)).toEqual({ counts: COUNTS, offsets: [] })
  })

  it('is not read when the topic was created again', async () => {
    const running = aDisk()
    await decided(running, SAID)
    await recreateWithout('b', running)

    expect((await restoredBy(running)).counts).toEqual({ a: 3, c: 1 })
  })

  it('is not read when the log has lost records that it includes', async () => {
    const running = aDisk()
    await decided(running, SAID)
    const lost = Object.assign(Object.create(running.memoryLog) as typeof running.memoryLog, {
      epochEnd: async () => 1,
    })

    const { offsets } = await restoredBy({ ...running, memoryLog: lost })

    expect(offsets[0]).toBe(0)
  })

  it('is not read in another format', async () => {
    const running = aDisk()
    await decided(running, SAID)
    const other = { ...counted, memory: { ...counted.memory, snapshot: savedWords('2') } }

    const { counts, offsets } = await restoredBy(running, other)

    expect([counts, offsets[0]]).toEqual([COUNTS, 0])
  })

  it('of yesterday is read only if nothing was written since, for the log may have dropped what was deleted', async () => {
    const running = aDisk()
    await decided(running, SAID)
    const tomorrow = { ...running, clock: { ...systemClock, now: () => systemClock.now() + 24 * 60 * 60 * 1000 } }
    expect((await restoredBy(tomorrow)).offsets).toEqual([])
    await running.log.produce([{ topic: countedMemory.name, key: 'b', value: null }])

    const { counts, offsets } = await restoredBy(tomorrow)

    expect([counts, offsets[0]]).toEqual([{ a: 3, c: 1 }, 0])
    expect((await restoredBy(running)).offsets).not.toContain(0)
  })

  it('that cannot be read is deleted, and the changelog is read instead', async () => {
    const running = aDisk()
    await decided(running, SAID)
    const saved = await running.checkpoints.snapshots.open(NAME)
    if (saved === null) throw new Error('no state was saved')
    await running.checkpoints.snapshots.save(NAME, saved.savedUpTo, [Buffer.from('5')])

    const { counts, offsets } = await restoredBy(running)

    expect([counts, offsets[0]]).toEqual([COUNTS, 0])
    expect(await running.checkpoints.snapshots.names()).toEqual([])
  })

  it.each(['open the state', 'read a part of the state', 'save a part of the state'])(
    'that the disk fails to %s does not stop the stage',
    async (what) => {
      const broken = new DiskDouble(async (access) => {
        if (access.startsWith(what)) throw new CheckpointFailed('the disk is full')
      })
      const running = aDisk(broken)
      await decided(running, SAID.slice(0, 3))
      await decided(running, SAID.slice(3))

      expect((await restoredBy({ ...running, checkpoints: null })).counts).toEqual(COUNTS)
    },
  )

  it('of an earlier version is deleted, and so is the copy of the changelog that it replaces', async () => {
    const running = aDisk()
    await running.checkpoints.open(NAME)
    await running.checkpoints.snapshots.save('counted-0-v0', SAVED_UP_TO, [])

    await decided(running, ['a'])

    expect([await running.checkpoints.names(), await running.checkpoints.snapshots.names()]).toEqual([[], [NAME]])
  })
})

describe('a standby', () => {
  it('saves its state, and restores it from there', async () => {
    const running = aDisk()
    await decided({ ...running, checkpoints: null }, SAID)
    const states = new WarmStates(countedSaved, running)
    await states.advance(0, () => false)

    await states.save(0)

    expect(await restoredBy(running)).toEqual({ counts: COUNTS, offsets: [] })
  })

  it('has a state of today though nothing was written for a day', async () => {
    let days = 0
    const clock = { ...systemClock, now: () => systemClock.now() + days * 24 * 60 * 60 * 1000 }
    const running = { ...aDisk(), clock }
    await decided({ ...running, checkpoints: null }, SAID)
    const states = new WarmStates(countedSaved, running)
    await states.advance(0, () => false)

    days = 1
    await states.advance(0, () => false)

    expect((await states.take(0, () => undefined))?.at).toBeGreaterThan(clock.now() - 60_000)
  })

  it('saves its state after a take-over that was interrupted', async () => {
    const running = aDisk()
    await decided({ ...running, checkpoints: null }, SAID)
    const states = new WarmStates(countedSaved, running)
    const interrupted = () => {
      throw new Error('revoked')
    }
    const [, taking] = await Promise.allSettled([states.advance(0, () => false), states.take(0, interrupted)])

    await states.save(0)

    expect(taking.status).toBe('rejected')
    expect(await restoredBy(running)).toEqual({ counts: COUNTS, offsets: [] })
  })

  it('takes over while its state is being saved, which it gives up', async () => {
    let parts = 0
    const slow = new DiskDouble(async (access) => {
      if (access.startsWith('save') && parts++ > 0) await setTimeout(20)
    })
    const running = aDisk(slow)
    const words = Array.from({ length: 300 }, (_, i) => `w${i}`)
    await decided({ ...running, checkpoints: null }, words)
    const states = new WarmStates(countedSaved, running)
    await states.advance(0, () => false)

    const [saving, taking] = await Promise.allSettled([states.save(0), states.take(0, () => undefined)])

    const taken = taking.status === 'fulfilled' ? taking.value : null
    expect(saving.status).toBe('rejected')
    expect(taken?.state.size).toBe(300)
    expect(parts).toBeLessThan(300)
    expect(await running.checkpoints.snapshots.names()).toEqual([])
  })
})
