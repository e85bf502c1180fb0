import { expect, it, vi } from 'vitest'
import {
  aRunning,
  counted,
  say,
  wordsHeard,
  wordsIn,
  wordsSaid,
  type TestRunning,
  type RunningWord,
} from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import type { Log } from '../ports/log.ts'
import { SILENT_MS } from './health.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import { runStage } from './run-stage.ts'
import { emit, type Stage } from './shapes.ts'

const heard: Stage<RunningWord, RunningWord> = {
  name: 'heard',
  version: '1',
  reads: wordsSaid,
  writes: wordsHeard,
  handle: (inputs) => Promise.resolve(inputs.map(({ event }) => emit({ ...event, event_id: `heard-${event.word}` }))),
}

/** A log with two partitions. While `fails` is set, it rejects stage outputs for the words of one of them. */
async function aBrokenPartition() {
  const memoryLog = new MemoryLog({ partitions: () => 2, batchRecords: 3 })
  const words = Array.from({ length: 40 }, (_, i) => `w${i}`)
  await say(memoryLog, words)
  const inPartition = (p: number) =>
    memoryLog
      .records(wordsSaid.name)
      .filter(({ partition }) => partition === p)
      .map(({ key }) => key ?? '')
  const broken = { fails: true, words: new Set(inPartition(0)) }
  const log: Log = Object.assign(Object.create(memoryLog) as MemoryLog, {
    produce: async (records: Parameters<Log['produce']>[0]) => {
      if (broken.fails && records.some(({ key }) => broken.words.has(key ?? ''))) throw new Error('not enough replicas')
      return memoryLog.produce(records)
    },
    writer: async (id: string) => {
      const writer = await memoryLog.writer(id)
      const write: typeof writer.write = async (records, read) => {
        if (broken.fails && records.some(({ partition }) => partition === 0)) throw new Error('not enough replicas')
        await writer.write(records, read)
      }
      return { ...writer, write }
    },
  })
  return { running: aRunning({ memoryLog, log }), memoryLog, broken, inPartition }
}

const wordsOf = (heardWords: readonly RunningWord[]) => heardWords.map(({ word }) => word.replace(/ \d+$/, ''))

it.each([
  ['a stage', (running: TestRunning) => runStage(heard, running), 'heard'],
  ['a stage with memory', (running: TestRunning) => runMemoryStage(counted, running), 'counted'],
])('in %s a partition whose writes fail holds up no other, and loses and reorders nothing', async (_, start, name) => {
  const { running, memoryLog, broken, inPartition } = await aBrokenPartition()
  const [failing, others] = [inPartition(0), inPartition(1)]

  const consumer = await start(running)
  await vi.waitFor(async () => {
    expect(wordsOf(await wordsIn(memoryLog))).toEqual(others)
  }, soon)

  const sign = running.metrics.pulses[0]?.sign(running.clock.now(), SILENT_MS)
  expect(sign).toMatchObject({ state: 'retrying', retrying: [{ topic: wordsSaid.name, partition: 0 }] })
  expect(await running.metrics.page()).toContain(`story_retrying{stage="${name}",topic="words.said",partition="0"} 1`)

  broken.fails = false
  await vi.waitFor(async () => {
    expect(await memoryLog.committed(name, wordsSaid.name)).toEqual(await memoryLog.ends(wordsSaid.name))
  }, soon)
  await consumer.stop()
  const inOrder = wordsOf(await wordsIn(memoryLog)).filter((word) => broken.words.has(word))
  expect(inOrder).toEqual(failing)
  expect(await running.metrics.page()).not.toContain('story_retrying{')
  expect(running.crashes).toEqual([])
})

it('stops while a partition is being retried', async () => {
  const { running, memoryLog } = await aBrokenPartition()
  const consumer = await runStage(heard, running)
  await vi.waitFor(async () => {
    expect(await running.metrics.page()).toContain('story_retrying{')
  }, soon)

  await consumer.stop()

  expect((await memoryLog.committed('heard', wordsSaid.name))[0] ?? 0).toBe(0)
})

it('a write that hangs holds up the others for seconds only', async () => {
  const { running, memoryLog, inPartition } = await aBrokenPartition()
  const [hanging, others] = [new Set(inPartition(0)), inPartition(1)]
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const log: Log = Object.assign(Object.create(memoryLog) as MemoryLog, {
    produce: async (records: Parameters<Log['produce']>[0]) => {
      if (records.some(({ key }) => hanging.has(key ?? ''))) await released
      return memoryLog.produce(records)
    },
  })

  const consumer = await runStage(heard, { ...running, log })
  await vi.waitFor(async () => {
    expect(wordsOf(await wordsIn(memoryLog))).toEqual(others)
  }, soon)

  release()
  await vi.waitFor(async () => {
    expect(await memoryLog.committed('heard', wordsSaid.name)).toEqual(await memoryLog.ends(wordsSaid.name))
  }, soon)
  await consumer.stop()
})
