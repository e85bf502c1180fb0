import { expect, it, vi } from 'vitest'
import { RowsInMemory } from '../../test/builders/rows-in-memory.ts'
import { aRunning, say, wordsHeard, wordsIn, wordsSaid, type TestRunning } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import type { Batch, Consumer } from '../ports/log.ts'
import { StoreUnavailable } from '../ports/store.ts'
import { CrashGuard } from './crash-guard.ts'
import { runStage } from './run-stage.ts'
import { onlyStore, runView } from './run-view.ts'
import { emit, on, type Stage, type View } from './shapes.ts'

/** More crashes than the limit for one message. */
const OFTEN = 6

/** A dependency of every message, unavailable until it is switched on. */
class Needed {
  calls = 0
  away = true

  async ask(): Promise<void> {
    this.calls += 1
    await (this.away ? Promise.reject(new StoreUnavailable('away')) : Promise.resolve())
  }
}

const heardWith = (needed: Needed): Stage<{ event_id: string; word: string }, { event_id: string; word: string }> => ({
  name: 'heard',
  version: '1',
  reads: wordsSaid,
  writes: wordsHeard,
  handle: async (inputs) => {
    await needed.ask()
    return inputs.map(({ event }) => emit(event))
  },
})

const view: View = {
  name: 'words',
  projections: [on(wordsSaid, ({ event }) => [{ table: 'words', row: { word: event.word } }])],
}

class NeededStore extends RowsInMemory {
  readonly needed = new Needed()

  override async insert(...of: Parameters<RowsInMemory['insert']>): Promise<void> {
    await this.needed.ask()
    await super.insert(...of)
  }
}

type Start = (running: TestRunning) => Promise<Consumer>

async function untilCalled(needed: Needed): Promise<void> {
  const before = needed.calls
  await vi.waitFor(() => {
    expect(needed.calls).toBeGreaterThan(before)
  }, soon)
}

/** Orderly restarts, one after the other. */
async function restarted(running: TestRunning, needed: Needed, start: Start): Promise<void> {
  for (let times = 0; times < OFTEN; times++) {
    const consumer = await start(running)
    await untilCalled(needed)
    await consumer.stop()
  }
}

/** Other consumers join and leave, and each rebalance may reassign every partition. */
async function rebalanced(running: TestRunning, needed: Needed, start: Start): Promise<void> {
  const consumer = await start(running)
  for (let times = 0; times < OFTEN; times++) {
    await untilCalled(needed)
    await (await start(running)).stop()
  }
  await untilCalled(needed)
  await consumer.stop()
}

const waysToGo = [
  ['restarted', restarted],
  ['rebalanced', rebalanced],
] as const

const untilRead = async ({ log }: TestRunning, group: string) => {
  await vi.waitFor(async () => {
    expect(await log.committed(group, wordsSaid.name)).toEqual([2])
  }, soon)
}

it.each(waysToGo)('a stage %s while its model is away takes no message for a deadly one', async (_, go) => {
  const running = aRunning()
  const needed = new Needed()
  const start: Start = (on) => runStage(heardWith(needed), on)
  await say(running.log, ['one', 'two'])

  await go(running, needed, start)
  needed.away = false
  const consumer = await start(running)

  await untilRead(running, 'heard')
  await consumer.stop()
  expect(running.memoryLog.records('words.said.dead')).toEqual([])
  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one', 'two'])
})

it.each(waysToGo)('a view %s while its store is away leaves out no row', async (_, go) => {
  const running = aRunning()
  const store = new NeededStore()
  const start: Start = (on) => runView(view, on, onlyStore(store))
  await say(running.log, ['one', 'two'])

  await go(running, store.needed, start)
  store.needed.away = false
  const consumer = await start(running)

  await untilRead(running, 'view:words')
  await consumer.stop()
  expect(new Set(store.inserts.flatMap(({ rows }) => rows.map(({ word }) => word)))).toEqual(new Set(['one', 'two']))
})

it('takes neighbours of a suspected record on both sides as controls, also from outside its batch', async () => {
  const log = new MemoryLog()
  await log.produce(['a', 'b', 'c', 'd'].map((word) => ({ topic: 'words', key: word, value: Buffer.from(word) })))
  const [, suspect, ...later] = log.records('words')
  if (suspect === undefined) throw new Error('nothing was written')
  const batch = { topic: 'words', partition: 0, records: [suspect] } as unknown as Batch
  const controlOf = async (nth: number) => {
    const { records, blames } = await new CrashGuard(log, 'words', 3).control(batch, suspect, nth)
    return [records.map(({ key }) => key).join(), blames]
  }

  expect(later).toHaveLength(2)
  expect(await Promise.all([0, 1, 2].map(controlOf))).toEqual([
    ['a', true],
    ['c', true],
    ['d', true],
  ])
  expect(await controlOf(3)).toEqual(['', false]) // the record itself, without blame
  expect(await controlOf(50)).toEqual(['', true])
})
