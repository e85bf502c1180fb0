import { describe, expect, it, vi } from 'vitest'
import {
  aDyingLog,
  aRunning,
  say,
  wordsHeard,
  wordsIn,
  wordsSaid,
  type RunningWord,
} from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { derivedId } from '../events/ids.ts'
import { runStage } from './run-stage.ts'
import { emit, reject, skip, type Stage } from './shapes.ts'

/**
 * The handbook. A stage has a name, the topic it reads, the topic it writes, and a function from inputs to one outcome
 * each: emit, skip or reject. The runtime does everything else: decoding, order, retries, dead letters, commits.
 */
const heard: Stage<RunningWord, RunningWord> = {
  name: 'heard',
  version: '1',
  reads: wordsSaid,
  writes: wordsHeard,
  handle: async (inputs) =>
    inputs.map(({ event }) => {
      if (event.word === '') return reject('word_empty')
      if (event.word === 'hm') return skip('no_word')
      return emit({
        event_id: derivedId({ stage: 'heard', version: '1' }, event.event_id),
        word: event.word.toUpperCase(),
      })
    }),
}

const wholeLog = async (running: ReturnType<typeof aRunning>, end: number) => {
  await vi.waitFor(async () => {
    expect(await running.log.committed('heard', wordsSaid.name)).toEqual([end])
  }, soon)
}

describe('the handbook', () => {
  it('1. decide: what a stage emits is in the log, in the order of what it read', async () => {
    const running = aRunning()
    await say(running.log, ['one', 'two', 'three'])

    const consumer = await runStage(heard, running)

    await wholeLog(running, 3)
    await consumer.stop()
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['ONE', 'TWO', 'THREE'])
  })

  it('2. skip: what is skipped is counted and nothing else', async () => {
    const running = aRunning()
    await say(running.log, ['hm', 'one'])

    const consumer = await runStage(heard, running)

    await wholeLog(running, 2)
    await consumer.stop()
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['ONE'])
    expect(running.memoryLog.records('words.said.dead')).toEqual([])
    expect(await running.metrics.page()).toContain(
      'story_inputs_total{stage="heard",outcome="skip",reason="no_word"} 1',
    )
  })

  it('3. reject: what is refused lies in the dead letters with its bytes and its story', async () => {
    const running = aRunning()
    await say(running.log, ['one', ''])

    const consumer = await runStage(heard, running)

    await wholeLog(running, 2)
    await consumer.stop()
    const [letter] = running.memoryLog.records('words.said.dead')
    expect(letter?.value).toEqual(running.memoryLog.records('words.said')[1]?.value)
    expect(letter?.headers).toMatchObject({
      stage: 'heard',
      reason: 'word_empty',
      attempts: '1',
      original_topic: 'words.said',
      original_partition: '0',
      original_offset: '1',
    })
  })

  it('4. crash: a process that dies before its commit loses nothing', async () => {
    const running = aRunning()
    const { log, died } = aDyingLog(running.log, { call: 'commit', nth: 1, when: 'before' })
    await say(running.log, ['one', 'two'])
    await runStage(heard, { ...running, log })
    await died
    running.memoryLog.crash('heard')

    const consumer = await runStage(heard, running)

    await wholeLog(running, 2)
    await consumer.stop()
    const words = await wordsIn(running.memoryLog)
    expect(new Set(words.map(({ word }) => word))).toEqual(new Set(['ONE', 'TWO']))
  })

  it('5. replay: what is done again is the same event again, not another one', async () => {
    const running = aRunning()
    await say(running.log, ['one', 'two'])
    const first = await runStage(heard, running)
    await wholeLog(running, 2)
    await first.stop()
    const once = await wordsIn(running.memoryLog)

    running.memoryLog.commit('heard', { topic: wordsSaid.name, partition: 0, offset: 0 }, null)
    const again = await runStage(heard, running)

    await wholeLog(running, 2)
    await again.stop()
    expect(await wordsIn(running.memoryLog)).toEqual([...once, ...once])
  })
})
