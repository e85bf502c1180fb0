import { describe, expect, it, vi } from 'vitest'
import { aDisk, recreateWithout, restored } from '../../test/builders/checkpoint-disk.ts'
import { DiskDouble } from '../../test/builders/disk-double.ts'
import { aRunning, counted, countedMemory, say, wordsIn, wordsSaid } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { CheckpointFailed } from '../ports/checkpoints.ts'
import { Checkpointing } from './checkpointing.ts'
import { takeOver } from './held-memory.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import { WarmStates } from './warm-states.ts'

const SAID = ['a', 'b', 'a', 'c', 'a', 'b']

/** A process with some words decided, and the standby's states of its partition. */
async function aStandby(words: readonly string[]) {
  const running = aDisk()
  await decided(running, words)
  const states = new WarmStates(counted, running)
  await states.advance(0, () => false)
  return { running, states }
}

type AStandby = Awaited<ReturnType<typeof aStandby>>

/** Another process decides words. */
async function decided(running: AStandby['running'] | ReturnType<typeof aRunning>, words: readonly string[]) {
  const [before = 0] = await running.log.ends(wordsSaid.name)
  await say(running.log, words)
  const consumer = await runMemoryStage(counted, { ...running, checkpoints: null })
  await vi.waitFor(async () => {
    expect(await running.log.committed('counted', wordsSaid.name)).toEqual([before + words.length])
  }, soon)
  await consumer.stop()
}

/** The state after a take-over by the standby, and the offsets of the changelog that it read. */
const takenOver = async ({ running, states }: AStandby) =>
  restored(running, { known: await states.take(0, () => undefined) })

describe('the state of a standby', () => {
  it('needs only what was written since, without the local copy', async () => {
    const standby = await aStandby(SAID.slice(0, 4))
    const [end = 0] = await standby.running.log.ends(countedMemory.name)
    await decided(standby.running, SAID.slice(4))
    await standby.running.checkpoints.delete('counted-0-v1')

    const { counts, offsets } = await takenOver(standby)

    expect(counts).toEqual({ a: 3, b: 2, c: 1 })
    expect(offsets.length).toBeGreaterThan(0)
    expect(offsets.every((offset) => offset >= end)).toBe(true)
  })

  it('is brought up to date by what was written since', async () => {
    const standby = await aStandby(SAID.slice(0, 4))
    await decided(standby.running, SAID.slice(4))
    await standby.states.advance(0, () => false)

    expect(await takenOver(standby)).toEqual({ counts: { a: 3, b: 2, c: 1 }, offsets: [] })
  })

  it('is not used when the topic was created again', async () => {
    const standby = await aStandby(SAID)
    await recreateWithout('b', standby.running)

    expect((await takenOver(standby)).counts).toEqual({ a: 3, c: 1 })
  })

  it('is not used when the log has lost records that it includes', async () => {
    const standby = await aStandby(SAID)
    const { memoryLog } = standby.running
    const lost = Object.assign(Object.create(memoryLog) as typeof memoryLog, { epochEnd: async () => 1 })
    const known = await standby.states.take(0, () => undefined)
    known?.state.set('z', { count: 9, last: '' })

    const { state } = await takeOver(counted, 0, { ...standby.running, log: lost, known })

    expect(state.get('z')).toBeUndefined()
    expect(state.get('a')?.count).toBe(3)
  })

  it('stays as it was if its update is interrupted', async () => {
    const standby = await aStandby(SAID.slice(0, 4))
    await decided(standby.running, SAID.slice(4))

    await expect(standby.states.advance(0, () => true)).rejects.toThrow()

    expect((await takenOver(standby)).counts).toEqual({ a: 3, b: 2, c: 1 })
  })

  it('goes on where its restore ended early', async () => {
    const { running, states } = await aStandby(SAID)
    await states.take(0, () => undefined)
    await running.checkpoints.delete('counted-0-v1')
    const begins: number[] = []
    const { memoryLog } = running
    const breaking = Object.assign(Object.create(memoryLog) as typeof memoryLog, {
      async *read(topic: string, partition: number, from: number) {
        begins.push(from)
        for await (const records of memoryLog.read(topic, partition, from)) {
          yield records
          if (begins.length === 1) throw new Error('no broker')
        }
      },
    })
    const cold = new WarmStates(counted, { ...running, log: breaking, checkpoints: null })

    await expect(cold.advance(0, () => false)).rejects.toThrow('no broker')
    await cold.advance(0, () => false)

    expect(begins[0]).toBe(0)
    expect(begins[1]).toBeGreaterThan(0)
    expect((await takenOver({ running, states: cold })).counts).toEqual({ a: 3, b: 2, c: 1 })
  })

  it('stays as it was while the log is away', async () => {
    const standby = await aStandby(SAID)
    const [end = 0] = await standby.running.log.ends(countedMemory.name)
    const ends = vi.spyOn(standby.running.log, 'ends').mockRejectedValue(new Error('no broker'))

    await expect(standby.states.advance(0, () => false)).rejects.toThrow('no broker')
    ends.mockRestore()

    expect((await standby.states.take(0, () => undefined))?.offset).toBe(end)
  })

  it('is restored without a disk that does not work', async () => {
    const standby = await aStandby(SAID)
    const broken = new DiskDouble(async () => Promise.reject(new CheckpointFailed('the disk is full')))
    const states = new WarmStates(counted, { ...standby.running, checkpoints: broken })

    await states.advance(0, () => false)

    expect((await takenOver({ ...standby, states })).counts).toEqual({ a: 3, b: 2, c: 1 })
  })

  it('is taken after its update', async () => {
    const standby = await aStandby(SAID.slice(0, 4))
    await decided(standby.running, SAID.slice(4))

    const update = standby.states.advance(0, () => false)
    const taken = await takenOver(standby)
    await update

    expect(taken).toEqual({ counts: { a: 3, b: 2, c: 1 }, offsets: [] })
    expect(standby.states.partitions()).toEqual([])
  })
})

it('a standby process takes a partition over with its state', async () => {
  const first = aDisk()
  const logger = { ...first.logger, info: vi.fn() }
  await say(first.log, SAID.slice(0, 4))
  const owner = await runMemoryStage(counted, first)
  await vi.waitFor(async () => {
    expect(await first.log.committed('counted', wordsSaid.name)).toEqual([4])
  }, soon)
  const standby = await runMemoryStage(counted, { ...first, logger, checkpoints: new DiskDouble() })
  await vi.waitFor(() => {
    expect(logger.info).toHaveBeenCalledWith(
      expect.objectContaining({ partition: 0 }),
      expect.stringMatching(/standby/),
    )
  }, soon)
  await owner.stop()
  const reads = vi.spyOn(first.memoryLog, 'read') // from now on, of the standby only
  await say(first.log, SAID.slice(4))

  await vi.waitFor(async () => {
    expect((await wordsIn(first.memoryLog)).map(({ word }) => word)).toEqual(['a 1', 'b 1', 'a 2', 'c 1', 'a 3', 'b 2'])
  }, soon)
  expect(reads.mock.calls.filter(([topic]) => topic === countedMemory.name).every(([, , from]) => from > 0)).toBe(true)
  await standby.stop()
})

describe('a process that is the standby of a partition', () => {
  const aProcess = async (owns: readonly number[] = []) => {
    const running = aDisk()
    await decided(running, SAID)
    const held = new Set(owns)
    const discard = vi.fn(async (partition: number) => void held.delete(partition))
    const process = new Checkpointing(counted, running, { has: (partition) => held.has(partition), discard })
    await process.start()
    return { running, discard, process }
  }
  const until = (process: { holds: () => readonly number[] }, holds: readonly number[]) =>
    vi.waitFor(() => expect(process.holds()).toEqual(holds), soon)

  it('first discards the state with which it owned the partition', async () => {
    const { process, discard } = await aProcess([0])
    process.own(new Set([0]))
    process.onAssigned([0])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(discard).not.toHaveBeenCalled()

    process.own(new Set())
    await until(process, [0])

    expect(discard).toHaveBeenCalledWith(0)
    await process.stop()
  })

  it('keeps the state while it becomes the owner, and discards that of a partition that went elsewhere', async () => {
    const { process } = await aProcess()
    process.onAssigned([0])
    await until(process, [0])

    process.onAssigned([])
    process.own(new Set([0]))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(process.holds()).toEqual([0])

    process.own(new Set())
    await until(process, [])
    await process.stop()
  })

  it('is restored once it has joined and has all states', async () => {
    const { process } = await aProcess()
    expect(process.isRestored).toBe(false)

    process.onAssigned([])
    process.own(new Set())
    expect(process.isRestored).toBe(true)

    process.own(new Set([0]))
    expect(process.isRestored).toBe(false)
    await vi.waitFor(() => expect(process.isRestored).toBe(true), soon)
    expect(process.holds()).toEqual([0])

    await process.taken(0, () => undefined)
    process.own(new Set())
    process.onAssigned([0])
    expect(process.isRestored).toBe(false)
    await vi.waitFor(() => expect(process.isRestored).toBe(true), soon)
    await process.stop()
  })

  it('keeps the state if the partition could not be taken over with it', async () => {
    const { process } = await aProcess()
    process.onAssigned([0])
    await until(process, [0])

    const state = await process.taken(0, () => undefined)
    expect(process.holds()).toEqual([])
    process.giveBack(0, state)

    expect(process.holds()).toEqual([0])
    await process.stop()
  })
})
