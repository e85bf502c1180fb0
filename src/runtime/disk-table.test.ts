import { describe, expect, it, vi } from 'vitest'
import { DiskDouble } from '../../test/builders/disk-double.ts'
import {
  aRunning,
  countedMemory,
  say,
  wordsHeard,
  wordsIn,
  wordsSaid,
  type RunningCount,
  type RunningWord,
  type TestRunning,
} from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { systemClock } from '../adapters/clock.ts'
import { PlainCodec } from '../adapters/plain-codec.ts'
import { topic } from '../events/topic.ts'
import type { Checkpoints } from '../ports/checkpoints.ts'
import { DiskTable } from '../state/disk-table.ts'
import { tombstone, type Entry } from '../state/entry.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import type { MemoryStage } from './shapes.ts'

interface WordRow {
  readonly word: string
  readonly count: number
}

const countedRows = topic<WordRow>('counted.rows', ({ word }) => word)

const schemaOf = (name: string): string => {
  const word = { name: 'word', type: 'string' }
  const count = { name: 'count', type: 'long' }
  const fields = name.endsWith('.memory')
    ? [count, { name: 'last', type: 'string' }]
    : name.endsWith('.rows')
      ? [word, count]
      : [{ name: 'event_id', type: 'string' }, word]
  return JSON.stringify({ type: 'record', name: 'Word', fields })
}

/** Counts words, with one word in memory: the counts of all others are in its table. */
const forgetful: MemoryStage<Map<string, RunningCount>, RunningWord, RunningWord, RunningCount, WordRow> = {
  name: 'counted',
  version: '1',
  reads: [wordsSaid],
  writes: wordsHeard,
  memory: {
    changelog: countedMemory,
    empty: () => new Map(),
    evolve: (state, { key, value }: Entry<RunningCount>) => {
      if (value === null) state.delete(key)
      else state.set(key, value)
      return state
    },
  },
  table: {
    changelog: countedRows,
    wanted: (state, { event: { word } }) => (state.has(word) ? [] : [word]),
  },
  decide: (state, { event: { word }, place }, found = new Map()) => {
    const count = (state.get(word)?.count ?? found.get(word)?.count ?? 0) + 1
    const others = [...state].filter(([known]) => known !== word)
    return {
      kind: 'emit',
      events: [{ event_id: `counted-${place.offset}`, word: `${word} ${count}` }],
      remember: [{ key: word, value: { count, last: '' } }, ...others.map(([known]) => tombstone(known))],
      rows: others.map(([known, it]) => ({ word: known, count: it.count })),
    }
  },
}

const aDisk = (checkpoints: Checkpoints | null = new DiskDouble()) => ({
  ...aRunning({ clock: systemClock, limits: { checkpointMs: 5 } }),
  codec: new PlainCodec(schemaOf),
  checkpoints,
})

/** Runs the stage until everything that was said is decided. */
async function decided(running: TestRunning): Promise<void> {
  const consumer = await runMemoryStage(forgetful, running)
  await vi.waitFor(async () => {
    expect(await running.log.committed('counted', wordsSaid.name)).toEqual(await running.log.ends(wordsSaid.name))
  }, soon)
  await consumer.stop()
}

const heard = async ({ memoryLog }: TestRunning): Promise<readonly string[]> =>
  (await wordsIn(memoryLog)).map(({ word }) => word)

describe.each([
  ['a disk', () => new DiskDouble()],
  ['no disk', () => null],
])('a stage with a table and %s', (_, disk) => {
  it('finds what is not in memory, in one run and after a restart', async () => {
    const running = aDisk(disk())
    await say(running.log, ['a', 'b', 'a', 'a', 'c', 'b'])
    await decided(running)
    await say(running.log, ['c', 'b', 'a'])
    await decided(running)

    expect(await heard(running)).toEqual(['a 1', 'b 1', 'a 2', 'a 3', 'c 1', 'b 2', 'c 2', 'b 3', 'a 4'])
  })

  it('finds it on a new machine', async () => {
    const first = aDisk(disk())
    await say(first.log, ['a', 'b', 'c'])
    await decided(first)
    const second = { ...first, checkpoints: disk() }
    await say(second.log, ['a', 'd'])
    await decided(second)

    expect((await heard(second)).slice(3)).toEqual(['a 2', 'd 1'])
  })
})

it('decides what needs no row while the copy of a table is filled, and waits with the rest', async () => {
  const first = aDisk()
  await say(first.log, ['a', 'b'])
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
  await say(second.log, ['b', 'a'])

  const consumer = await runMemoryStage(forgetful, { ...second, limits: { ...second.limits, partRecords: 1 } })
  await vi.waitFor(async () => expect(await heard(second)).toEqual(['a 1', 'b 1', 'b 2']), soon)
  expect(filled).not.toHaveBeenCalled()
  release()
  await vi.waitFor(async () => expect((await heard(second)).at(-1)).toBe('a 2'), soon)
  await consumer.stop()
})

it('sets a row only with the decision that it belongs to', async () => {
  const running = aDisk()
  await say(running.log, ['a', 'b'])
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
  await say(running.log, ['a'])
  await decided(running)

  expect(await heard(running)).toEqual(['a 1', 'b 1', 'a 2'])
})

it('keeps only rows in memory that its copy may lack', async () => {
  const running = aDisk()
  const { log, codec } = running
  const disk = new DiskDouble()
  const table = await DiskTable.open(
    { stage: 'counted', partition: 0, changelog: countedRows },
    { log, codec, checkpoints: disk },
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
  const other = await DiskTable.open(
    { stage: 'counted', partition: 0, changelog: countedRows },
    { log, codec, checkpoints: disk },
  )
  await other.complete // extends the copy of both
  await write(10_000)

  expect(table.inMemory).toBeLessThanOrEqual(10_000)
  const found = await table.rows(['word 0', 'word 5001', 'word 14999', 'word 15000'])
  expect([...found.values()].map(({ count }) => count)).toEqual([0, 5001, 14999])
  await Promise.all([table.close(), other.close()])
})
