import { expect, it, vi } from 'vitest'
import { aRunning, say, wordsSaid, type TestRunning } from '../../test/builders/running.ts'
import { RowsInMemory } from '../../test/builders/rows-in-memory.ts'
import { soon } from '../../test/builders/soon.ts'
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
