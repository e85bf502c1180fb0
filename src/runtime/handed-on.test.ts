import { expect, it, vi } from 'vitest'
import {
  aRunning,
  counted,
  wordCodec,
  wordsHeard,
  wordsSaid,
  type TestRunning,
  type RunningWord,
} from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import { runStage } from './run-stage.ts'
import { emit, reject, skip, type Stage } from './shapes.ts'

const heard: Stage<RunningWord, RunningWord> = {
  name: 'heard',
  version: '1',
  reads: wordsSaid,
  writes: wordsHeard,
  handle: async (inputs) =>
    inputs.map(({ event }) => {
      if (event.word === 'hm') return skip('no_word')
      if (event.word === '') return reject('word_empty')
      return emit(...['1', '2'].map((n) => ({ event_id: event.event_id + n, word: event.word + n })))
    }),
}

/** Writes words, each with a request id; `null` for none. */
async function sayUnder({ log }: TestRunning, words: readonly (readonly [string, string | null])[]): Promise<void> {
  for (const [word, id] of words) {
    const value = await wordCodec().encode(wordsSaid, { event_id: word, word })
    const headers = { other: 'stays behind', ...(id === null ? {} : { request_id: id }) }
    await log.produce([{ topic: wordsSaid.name, key: word, value, headers }])
  }
}

const headersOf = ({ memoryLog }: TestRunning, topic: string) => memoryLog.records(topic).map(({ headers }) => headers)

const readAll = ({ log }: TestRunning, group: string, end: number): Promise<void> =>
  vi.waitFor(async () => {
    expect(await log.committed(group, wordsSaid.name)).toEqual([end])
  }, soon)

it('a request id goes on to all that comes of an input, and to nothing else; a dead letter keeps it', async () => {
  const running = aRunning()
  await sayUnder(running, [
    ['one', 'request-1'],
    ['hm', 'request-2'],
    ['two', null],
    ['', 'request-3'],
    ['three', 'request-4'],
  ])

  const consumer = await runStage(heard, running)
  await readAll(running, 'heard', 5)
  await consumer.stop()

  const [first, fourth] = [{ request_id: 'request-1' }, { request_id: 'request-4' }]
  expect(headersOf(running, wordsHeard.name)).toEqual([first, first, {}, {}, fourth, fourth])
  expect(headersOf(running, 'words.said.dead')).toEqual([
    expect.objectContaining({ request_id: 'request-3', other: 'stays behind', reason: 'word_empty' }),
  ])
})

it('a stage with memory hands it on with what it emits, not with what it remembers', async () => {
  const running = aRunning()
  await sayUnder(running, [
    ['one', 'request-1'],
    ['two', null],
  ])

  const consumer = await runMemoryStage(counted, running)
  await readAll(running, counted.name, 2)
  await consumer.stop()

  expect(headersOf(running, counted.writes.name)).toEqual([{ request_id: 'request-1' }, {}])
  expect(headersOf(running, counted.memory.changelog.name)).toEqual([{}, {}])
})
