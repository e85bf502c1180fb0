import { describe, expect, it, vi } from 'vitest'
import { DiskDouble } from '../../test/builders/disk-double.ts'
import { forgetfulAs, forgetfulCodec, rowsOf } from '../../test/builders/forgetful.ts'
import { aRunning, say, wordsIn, type TestRunning } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { systemClock } from '../adapters/clock.ts'
import { CheckpointFailed, type Checkpoints } from '../ports/checkpoints.ts'
import { DiskTable } from '../state/disk-table.ts'
import { runMemoryStage } from './run-memory-stage.ts'

const forgetful = forgetfulAs('counted')
const countedRows = rowsOf('counted')
const SAID = { ...forgetful.writes, name: 'counted.said' }

const aDisk = (checkpoints: Checkpoints | null = new DiskDouble()) => ({
  ...aRunning({ clock: systemClock, limits: { checkpointMs: 5 } }),
  codec: forgetfulCodec(),
  checkpoints,
})

/** Runs the stage until everything that was said is decided. */
async function decided(running: TestRunning): Promise<void> {
  const consumer = await runMemoryStage(forgetful, running)
  await vi.waitFor(async () => {
    expect(await running.log.committed('counted', SAID.name)).toEqual(await running.log.ends(SAID.name))
  }, soon)
  await consumer.stop()
}

const heard = async ({ memoryLog }: TestRunning): Promise<readonly string[]> =>
  (await wordsIn(memoryLog, forgetful.writes)).map(({ word }) => word)

describe.each([
  ['a disk', () => new DiskDouble()],
  ['no disk', () => null],
])('a stage with a table and %s', (_, disk) => {
  it('finds what is not in memory, in one run and after a restart', async () => {
    const running = aDisk(disk())
    await say(running.log, ['a', 'b', 'a', 'a', 'c', 'b'], SAID)
    await decided(running)
    await say(running.log, ['c', 'b', 'a'], SAID)
    await decided(running)

    expect(await heard(running)).toEqual(['a 1', 'b 1', 'a 2', 'a 3', 'c 1', 'b 2', 'c 2', 'b 3', 'a 4'])
  })

  it('finds it on a new machine', async () => {
    const first = aDisk(disk())
    await say(first.log, ['a', 'b', 'c'], SAID)
    await decided(first)
    const second = { ...first, checkpoints: disk() }
    await say(second.log, ['a', 'd'], SAID)
    await decided(second)

    expect((await heard(second)).slice(3)).toEqual(['a 2', 'd 1'])
  })
})

it('decides what needs no row while the copy of a table is filled, and waits with the rest', async () => {
  const first = aDisk()
  await say(first.log, ['a', 'b'], SAID)
  await decided(first)
  let release = (): void => undefined
  const slow = new Promise<void>((resolve) => (release = resolve))
  const filled = vi.fn()
  const second = {
    ...first,
    checkpoints: new DiskDouble(async (access) => {
      if (access.startsWith('extend the copy counted-table')) await slow.then(filled)
    }),
  }
  await say(second.log, ['b', 'a'], SAID)

  const consumer = await runMemoryStage(forgetful, { ...second, limits: { ...second.limits, partRecords: 1 } })
  await vi.waitFor(async () => expect(await heard(second)).toEqual(['a 1', 'b 1', 'b 2']), soon)
  expect(filled).not.toHaveBeenCalled()
  release()
  await vi.waitFor(async () => expect((await heard(second)).at(-1)).toBe('a 2'), soon)
  await consumer.stop()
})

it('finds what is not in memory when the disk does not give the copy back', async () => {
  const checkpoints = new DiskDouble(async (access) => {
    if (access.startsWith('open the copy counted-table')) throw new CheckpointFailed('damaged')
  })
  const running = aDisk(checkpoints)
  await say(running.log, ['a', 'b', 'a'], SAID)
  await decided(running)

  expect(await heard(running)).toEqual(['a 1', 'b 1', 'a 2'])
})

it('a lookup waits until the copy is filled', async () => {
  const first = aDisk()
  await say(first.log, ['a', 'b'], SAID)
  await decided(first)
  let release = (): void => undefined
  const slow = new Promise<void>((resolve) => (release = resolve))
  const ports = { ...first, checkpoints: new DiskDouble(() => slow) }
  const opened = DiskTable.open({ stage: 'counted', partition: 0, changelog: countedRows }, ports)
  release()
  const table = await opened

  expect(table.isComplete).toBe(false)
  expect([...(await table.rows(['a'])).values()]).toEqual([{ word: 'a', count: 1 }])
  expect(table.isComplete).toBe(true)
  await table.close()
})

it('sets a row only with the decision that it belongs to', async () => {
  const running = aDisk()
  await say(running.log, ['a', 'b'], SAID)
  const { log } = running
  let fails = true
  const once = {
    ...running,
    log: Object.assign(Object.create(log) as typeof log, {
      writer: async (id: string) => {
        const writer = await log.writer(id)
        const write: typeof writer.write = async (records, offsets) => {
          if (fails && records.length > 0) {
            fails = false
            throw new Error('the broker is away')
          }
          await writer.write(records, offsets)
        }
        return { write, close: () => writer.close() }
      },
    }),
  }
  await decided(once)
  await say(running.log, ['a'], SAID)
  await decided(running)

  expect(await heard(running)).toEqual(['a 1', 'b 1', 'a 2'])
})

it('keeps only rows in memory that its copy may lack', async () => {
  const running = aDisk()
  const { log, codec } = running
  const disk = new DiskDouble()
  const table = await DiskTable.open(
    { stage: 'counted', partition: 0, changelog: countedRows },
    { ...running, checkpoints: disk },
  )
  const write = async (from: number): Promise<void> => {
    const rows = Array.from({ length: 5_000 }, (_, i) => ({ word: `word ${from + i}`, count: from + i }))
    table.set(rows)
    const records = rows.map(async (row) => ({
      topic: countedRows.name,
      key: row.word,
      value: await codec.encode(countedRows, row),
    }))
    await log.produce(await Promise.all(records))
    await table.committed()
  }

  await write(0)
  await write(5_000)
  expect([...(await table.rows(['word 0', 'word 5000'])).keys()]).toEqual(['word 0', 'word 5000'])
  const other = await DiskTable.open(
    { stage: 'counted', partition: 0, changelog: countedRows },
    { ...running, checkpoints: disk },
  )
  await other.complete // extends the copy of both
  await write(10_000)

  expect(table.inMemory).toBeLessThanOrEqual(10_000)
  const found = await table.rows(['word 0', 'word 5001', 'word 14999', 'word 15000'])
  expect([...found.values()].map(({ count }) => count)).toEqual([0, 5001, 14999])
  await Promise.all([table.close(), other.close()])
})
