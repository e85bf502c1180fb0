import { expect, it, vi } from 'vitest'
import { aRunning, counted, say, wordsHeard, wordsIn, wordsSaid } from '../../test/builders/running.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { RecordTooLarge, type OutRecord } from '../ports/log.ts'
import { deadLetter, readDeadLetter, shortened } from './dead-letter.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import { runStage } from './run-stage.ts'
import { emit, reject, type Stage } from './shapes.ts'
import type { RunningWord } from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'

const MOST = 600_000
const HUGE = MOST + 1

/** A log whose dead-letter topics have a lower size limit than the others. */
function aNarrowLog() {
  const memoryLog = new MemoryLog()
  const check = (records: readonly OutRecord[]) => {
    const long = records.find(({ topic, value }) => topic.endsWith('.dead') && (value?.length ?? 0) > MOST)
    if (long !== undefined) throw new RecordTooLarge('too large')
  }
  const log = Object.assign(Object.create(memoryLog) as MemoryLog, {
    produce: async (records: readonly OutRecord[]) => {
      check(records)
      await memoryLog.produce(records)
    },
    writer: async (id: string) => {
      const writer = await memoryLog.writer(id)
      const write: typeof writer.write = async (records, read) => {
        check(records)
        await writer.write(records, read)
      }
      return { ...writer, write }
    },
  })
  return { memoryLog, log }
}

const heard: Stage<RunningWord, RunningWord> = {
  name: 'heard',
  version: '1',
  reads: wordsSaid,
  writes: wordsHeard,
  handle: async (inputs) => inputs.map(({ event }) => (event.word === 'no' ? reject('word_is_no') : emit(event))),
}

it.each([
  ['a stage', 'heard', runStage.bind(null, heard), ['one', 'two']],
  ['a stage with memory', 'counted', runMemoryStage.bind(null, counted), ['one 1', 'two 1']],
] as const)(
  '%s does not stall at a letter that the log will never take: it leaves the bytes where they are',
  async (_, group, run, said) => {
    const running = aRunning(aNarrowLog())
    await say(running.memoryLog, ['one', HUGE, 'no', 'two'])

    const consumer = await run(running)

    await vi.waitFor(async () => {
      expect(await running.log.committed(group, wordsSaid.name)).toEqual([4])
    }, soon)
    await consumer.stop()
    const letters = running.memoryLog.records('words.said.dead')
    expect(letters.map(readDeadLetter)).toMatchObject([
      { reason: 'too_large', original: { topic: 'words.said', partition: 0, offset: 1 } },
      { reason: 'word_is_no', original: { offset: 2 } },
    ])
    expect(letters.map(({ value }) => value === null)).toEqual([true, false])
    expect(letters[0]?.headers['error']).toMatch(/^malformed_avro/)
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(said)
  },
)

it('leaves out of a large letter whatever the producer made large, and nothing of a small one', () => {
  const record = { topic: 't', partition: 2, offset: 7, key: 'k', value: Buffer.from('v'), headers: {}, loggedAt: 5 }
  const cause = { stage: 'heard', reason: 'refused', cause: new Error('why') }
  const large = { ...record, key: 'k'.repeat(HUGE), headers: { theirs: 'x'.repeat(HUGE) } }

  expect(shortened(deadLetter(record, cause))).toEqual(deadLetter(record, cause))
  expect(shortened(deadLetter(large, cause))).toEqual({
    topic: 't.dead',
    key: null,
    value: null,
    headers: {
      stage: 'heard',
      reason: 'too_large',
      attempts: '1',
      original_topic: 't',
      original_partition: '2',
      original_offset: '7',
      original_logged_at: '5',
      error: 'refused: why',
    },
  })
})
