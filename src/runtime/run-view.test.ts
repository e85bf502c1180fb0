import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { settled } from '../../test/builders/api.ts'
import { aRunning, say, wordCodec, wordsSaid, type TestRunning } from '../../test/builders/running.ts'
import { RowsInMemory } from '../../test/builders/rows-in-memory.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import type { Row } from '../ports/store.ts'
import { deadLetter } from './dead-letter.ts'
import { onlyStore, runView } from './run-view.ts'
import { on, onDead, type View } from './shapes.ts'

const view: View = {
  name: 'words',
  projections: [
    on(wordsSaid, ({ event, place }) => [
      { table: 'words', row: { word: event.word, offset: place.offset } },
      { table: 'lengths', row: { length: event.word.length } },
    ]),
    onDead(wordsSaid, ({ event }) => [
      {
        table: 'refused',
        row: { word: event.event?.word ?? null, reason: event.reason, offset: event.original.offset },
      },
    ]),
  ],
}

const untilRead = async ({ log }: TestRunning, end: number, topic = wordsSaid.name) => {
  await vi.waitFor(async () => {
    expect(await log.committed('view:words', topic)).toEqual([end])
  }, soon)
}

it('inserts the rows of a whole batch in one insert a table, then commits', async () => {
  const running = aRunning()
  const store = new RowsInMemory()
  await say(running.log, ['a', 'bb', 3, 'c'])

  const consumer = await runView(view, running, onlyStore(store))

  await untilRead(running, 4)
  await consumer.stop()
  expect(store.inserts).toEqual([
    {
      table: 'words',
      rows: [
        { word: 'a', offset: 0 },
        { word: 'bb', offset: 1 },
        { word: 'c', offset: 3 },
      ],
    },
    { table: 'lengths', rows: [{ length: 1 }, { length: 2 }, { length: 1 }] },
  ])
})

/** One word in each of four partitions. */
async function fourPartitions() {
  const running = aRunning({ memoryLog: new MemoryLog({ partitions: () => 4 }) })
  const codec = wordCodec()
  const words = ['a', 'bb', 'c', 'd']
  const values = await Promise.all(words.map((word) => codec.encode(wordsSaid, { event_id: word, word })))
  await running.log.produce(
    values.map((value, partition) => ({ topic: wordsSaid.name, key: words[partition] ?? '', value, partition })),
  )
  return running
}
const wordsOf = (rows: readonly Row[]) => rows.map(({ word }) => word)

it('inserts the rows of several partitions together', async () => {
  const running = await fourPartitions()
  const store = new RowsInMemory()

  const consumer = await runView(view, running, onlyStore(store))

  await vi.waitFor(async () => {
    expect(await running.log.committed('view:words', wordsSaid.name)).toEqual([1, 1, 1, 1])
  }, soon)
  await consumer.stop()
  expect(store.inserts.map(({ table, rows }) => [table, rows.length])).toEqual([
    ['words', 4],
    ['lengths', 4],
  ])
})

it('continues with other partitions while the store rejects a row of one', async () => {
  const running = await fourPartitions()
  let rejects = true
  let rejectedTogether = 0
  const store = new (class extends RowsInMemory {
    override async insert(table: string, rows: readonly Row[]): Promise<void> {
      if (!rejects || !wordsOf(rows).includes('c')) return super.insert(table, rows)
      if (rows.length > 1) rejectedTogether += 1
      throw new Error('the row does not fit')
    }
  })()

  const consumer = await runView(view, running, onlyStore(store))

  await vi.waitFor(async () => {
    expect(await running.log.committed('view:words', wordsSaid.name)).toEqual([1, 1, 0, 1])
  }, soon)
  rejects = false
  await vi.waitFor(async () => {
    expect(await running.log.committed('view:words', wordsSaid.name)).toEqual([1, 1, 1, 1])
  }, soon)
  await consumer.stop()
  const inserted = store.inserts.filter(({ table }) => table === 'words').flatMap(({ rows }) => wordsOf(rows))
  expect(new Set(inserted)).toEqual(new Set(['a', 'bb', 'c', 'd']))
  expect(rejectedTogether).toBe(1)
})

it('leaves out only the record that kills the process, and none of those that are projected beside it', async () => {
  const running = await fourPartitions()
  const store = new RowsInMemory()
  const start = async (): Promise<'died' | 'done'> => {
    const codec = wordCodec()
    let isDead = false
    const died = new Promise<'died'>((resolve) => {
      const decode = codec.decode.bind(codec)
      codec.decode = async (topic, value) => {
        await setImmediate()
        isDead ||= value.includes('bb')
        if (isDead) resolve('died')
        else await settled()
        return isDead ? new Promise<never>(() => undefined) : decode(topic, value)
      }
    })
    const consumer = await runView(view, { ...running, codec }, onlyStore(store))
    const done = vi.waitFor(async () => {
      expect(await running.log.committed('view:words', wordsSaid.name)).toEqual([1, 1, 1, 1])
    }, soon)
    const how = await Promise.race([died, done.then(() => 'done' as const)])
    if (how === 'died') running.memoryLog.crash('view:words')
    else await consumer.stop()
    return how
  }

  let starts = 1
  while (starts < 10 && (await start()) === 'died') starts += 1

  const inserted = store.inserts.filter(({ table }) => table === 'words').flatMap(({ rows }) => wordsOf(rows))
  expect(new Set(inserted)).toEqual(new Set(['a', 'c', 'd']))
})

it('waits for a store that is away and loses nothing', async () => {
  const running = aRunning()
  const store = new RowsInMemory(4)
  await say(running.log, ['a'])

  const consumer = await runView(view, running, onlyStore(store))

  await untilRead(running, 1)
  await consumer.stop()
  expect(store.inserts.map(({ table }) => table)).toEqual(['words', 'lengths'])
  expect(await running.metrics.page()).toContain('story_retries_total{stage="view:words",step="insert"} 4')
})

it('does not commit before the store has the rows', async () => {
  const running = aRunning()
  const order: string[] = []
  const store = new RowsInMemory()
  const insert = store.insert.bind(store)
  store.insert = async (table, rows) => {
    order.push(`${table}: committed ${JSON.stringify(await running.log.committed('view:words', wordsSaid.name))}`)
    await insert(table, rows)
  }
  await say(running.log, ['a'])

  const consumer = await runView(view, running, onlyStore(store))

  await untilRead(running, 1)
  await consumer.stop()
  expect(order).toEqual(['words: committed [0]', 'lengths: committed [0]'])
})

it('shows dead letters, with the event where the bytes allow it', async () => {
  const running = aRunning()
  const store = new RowsInMemory()
  await say(running.log, ['no', 3])
  const records = running.memoryLog.records(wordsSaid.name)
  await running.log.produce(records.map((record) => deadLetter(record, { stage: 'heard', reason: 'refused' })))

  const consumer = await runView(view, running, onlyStore(store))

  await untilRead(running, 2, 'words.said.dead')
  await consumer.stop()
  expect(store.inserts.filter(({ table }) => table === 'refused').flatMap(({ rows }) => rows)).toEqual([
    { word: 'no', reason: 'refused', offset: 0 },
    { word: null, reason: 'refused', offset: 1 },
  ])
})
