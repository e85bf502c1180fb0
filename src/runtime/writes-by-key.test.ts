import { expect, it, vi } from 'vitest'
import { aRunning, counted, wordCodec, wordsHeard, wordsSaid, type TestRunning } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import type { Log, OutRecord } from '../ports/log.ts'
import { runMemoryStage } from './run-memory-stage.ts'

const WORDS = ['a', 'b', 'c', 'd']
const EMITTED = WORDS.map((word) => `${word} 1`)

const twoPartitions = () => new MemoryLog({ partitions: () => 2 })

/** Writes all words to partition 1, regardless of their keys. */
async function sayBeside(log: Log): Promise<void> {
  const value = (word: string) => wordCodec().encode(wordsSaid, { event_id: `said-${word}`, word })
  await log.produce(
    await Promise.all(
      WORDS.map(async (word) => ({ topic: wordsSaid.name, key: word, value: await value(word), partition: 1 })),
    ),
  )
}

async function untilRead({ log }: TestRunning): Promise<void> {
  await vi.waitFor(async () => {
    expect((await log.committed('counted', wordsSaid.name))[1]).toBe(WORDS.length)
  }, soon)
}

/** The partition of each key in a topic. */
const partitions = (log: MemoryLog, topic: string) =>
  new Map(log.records(topic).map(({ key, partition }) => [key, partition]))

/** The partition of a record that is partitioned by key. */
async function partitionsOf(keys: readonly string[]): Promise<ReadonlyMap<string | null, number>> {
  const log = twoPartitions()
  await log.produce(keys.map((key) => ({ topic: 'any', key, value: null })))
  return partitions(log, 'any')
}

it('a stage that writes by key writes each output where its key says, in one transaction with memory and offsets', async () => {
  const memoryLog = twoPartitions()
  const written: (readonly OutRecord[])[] = []
  const log: Log = Object.assign(Object.create(memoryLog) as MemoryLog, {
    writer: async (id: string) => {
      const writer = await memoryLog.writer(id)
      return {
        ...writer,
        write: async (...[records, read]: Parameters<typeof writer.write>) => {
          written.push(records)
          await writer.write(records, read)
        },
      }
    },
  })
  const running = aRunning({ memoryLog, log })
  await sayBeside(memoryLog)

  const consumer = await runMemoryStage({ ...counted, writesByKey: true }, running)
  await untilRead(running)
  await consumer.stop()

  const byKey = await partitionsOf(EMITTED)
  expect(new Set(byKey.values())).toEqual(new Set([0, 1]))
  expect(partitions(memoryLog, wordsHeard.name)).toEqual(byKey)
  expect(partitions(memoryLog, 'counted.memory')).toEqual(new Map(WORDS.map((word) => [word, 1])))
  expect(written.map((records) => records.map(({ topic }) => topic).sort())).toEqual([
    [...WORDS.map(() => 'counted.memory'), ...WORDS.map(() => wordsHeard.name)],
  ])
})

it('any other stage with memory writes beside its inputs, whatever the key', async () => {
  const running = aRunning({ memoryLog: twoPartitions() })
  await sayBeside(running.log)

  const consumer = await runMemoryStage(counted, running)
  await untilRead(running)
  await consumer.stop()

  expect(partitions(running.memoryLog, wordsHeard.name)).toEqual(new Map(EMITTED.map((word) => [word, 1])))
})
