import { describe, expect, it, vi } from 'vitest'
import { soon } from '../../test/builders/soon.ts'
import {
  aDyingLog,
  aRunning,
  say,
  wordCodec,
  wordsHeard,
  wordsIn,
  wordsSaid,
  type Death,
  type TestRunning,
  type RunningWord,
} from '../../test/builders/running.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { derivedId } from '../events/ids.ts'
import { runStage } from './run-stage.ts'
import { emit, emitEach, refuse, reject, type Outcome, type Stage } from './shapes.ts'

const stageOf = (
  decide: (word: string) => Outcome<RunningWord> | Promise<Outcome<RunningWord>>,
): Stage<RunningWord, RunningWord> => ({
  name: 'heard',
  version: '1',
  reads: wordsSaid,
  writes: wordsHeard,
  handle: (inputs) => Promise.all(inputs.map(async ({ event }) => decide(event.word))),
})

const hear = (word: string): Outcome<RunningWord> =>
  word === 'no' ? reject('word_is_no') : emit({ event_id: derivedId({ stage: 'heard', version: '1' }, word), word })

const untilCommitted = async ({ log }: TestRunning, end: number) => {
  await vi.waitFor(async () => {
    expect(await log.committed('heard', wordsSaid.name)).toEqual([end])
  }, soon)
}

const letters = ({ memoryLog }: TestRunning) => memoryLog.records('words.said.dead')

describe('no event is lost, and none becomes another one, when the process dies', () => {
  const deaths: readonly (Death & { readonly between: string })[] = [
    { between: 'deciding and producing', call: 'produce', nth: 1, when: 'before' },
    { between: 'producing and setting aside', call: 'produce', nth: 1, when: 'after' },
    { between: 'setting aside and the answer', call: 'produce', nth: 2, when: 'before' },
    { between: 'setting aside and committing', call: 'commit', nth: 1, when: 'before' },
    { between: 'committing and going on', call: 'commit', nth: 1, when: 'after' },
  ]

  it.each(deaths)('between $between', async (death) => {
    const running = aRunning()
    await say(running.log, ['one', 'no', 'two', 3])
    const { log, died } = aDyingLog(running.log, death)
    await runStage(stageOf(hear), { ...running, log })
    await died
    running.memoryLog.crash('heard')

    const consumer = await runStage(stageOf(hear), running)

    await untilCommitted(running, 4)
    await consumer.stop()
    const once = new Map((await wordsIn(running.memoryLog)).map((event) => [event.event_id, event.word]))
    expect([...once.values()]).toEqual(['one', 'two'])
    expect(new Set(letters(running).map(({ headers }) => headers['original_offset']))).toEqual(new Set(['1', '3']))
  })
})

it('goes on with the very next event when the process dies between two parts of a batch', async () => {
  const running = aRunning({ limits: { partRecords: 1 } })
  await say(running.log, ['one', 'two', 'three'])
  const { log, died } = aDyingLog(running.log, { call: 'commit', nth: 1, when: 'after' })
  await runStage(stageOf(hear), { ...running, log })
  await died
  running.memoryLog.crash('heard')

  const consumer = await runStage(stageOf(hear), running)

  await untilCommitted(running, 3)
  await consumer.stop()
  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one', 'two', 'three'])
})

it('never dead-letters because something is away: it waits, backs off with jitter, and goes on', async () => {
  const waits: number[] = []
  const running = aRunning({ clock: { now: () => 0, sleep: async (ms) => void waits.push(ms) } })
  let failures = 0
  const stage = stageOf((word) => {
    if (failures++ < 6) throw new Error('the model is away')
    return hear(word)
  })
  await say(running.log, ['one'])

  const consumer = await runStage(stage, running)

  await untilCommitted(running, 1)
  await consumer.stop()
  expect(letters(running)).toEqual([])
  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one'])
  expect(waits.length).toBeGreaterThanOrEqual(6)
  expect(await running.metrics.page()).toContain('story_retries_total{stage="heard",step="decide"} 6')
})

it('waits for a log that does not take records, and for a commit that fails', async () => {
  const memoryLog = new MemoryLog()
  let refusals = 3
  const log = Object.assign(Object.create(memoryLog) as MemoryLog, {
    produce: async (records: Parameters<MemoryLog['produce']>[0]) => {
      if (records.length > 0 && refusals-- > 0) throw new Error('no broker')
      await memoryLog.produce(records)
    },
  })
  const running = aRunning({ memoryLog, log })
  await say(memoryLog, ['one'])

  const consumer = await runStage(stageOf(hear), running)

  await untilCommitted(running, 1)
  await consumer.stop()
  expect((await wordsIn(memoryLog)).map(({ word }) => word)).toEqual(['one'])
})

it('sets bytes that are no event aside as they are, and the pipeline goes on', async () => {
  const running = aRunning({ limits: { floodRejects: 2 } })
  await say(running.log, ['one', 5, 0, 300_000, 7, 8, 9, 'two'])

  const consumer = await runStage(stageOf(hear), running)

  await untilCommitted(running, 8)
  await consumer.stop()
  const malformed = running.memoryLog.records('words.said').slice(1, 7)
  expect(letters(running).map(({ value }) => value)).toEqual(malformed.map(({ value }) => value))
  expect(letters(running).map(({ headers }) => headers['reason'])).toEqual(malformed.map(() => 'malformed_avro'))
  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one', 'two'])
  expect(running.crashes).toEqual([])
})

it('stops a stage that refuses nearly everything before it drains the topic', async () => {
  const running = aRunning({ limits: { floodRejects: 10, partRecords: 500 } })
  await say(running.log, [...Array.from({ length: 300 }, (_, i) => String(i))])

  await runStage(
    stageOf(() => reject('bad_deploy')),
    running,
  )

  await vi.waitFor(() => {
    expect(running.crashes.map(({ message }) => message)).toEqual([
      'heard rejected 16 of its last 16 inputs and has stopped',
    ])
  }, soon)
  expect(letters(running)).toEqual([])
})

it('does not take a few refusals among many for a flood', async () => {
  const running = aRunning({ limits: { floodRejects: 10 } })
  await say(running.log, [...Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? 'no' : String(i)))])

  const consumer = await runStage(stageOf(hear), running)

  await untilCommitted(running, 300)
  await consumer.stop()
  expect(letters(running)).toHaveLength(100)
  expect(running.crashes).toEqual([])
})

it('does not stop for producers who break the published rules, however many they are', async () => {
  const running = aRunning({ limits: { floodRejects: 10 } })
  await say(running.log, [...Array.from({ length: 300 }, (_, i) => String(i))])

  const consumer = await runStage(
    stageOf(() => refuse('text_too_short')),
    running,
  )

  await untilCommitted(running, 300)
  await consumer.stop()
  expect(letters(running)).toHaveLength(300)
  expect(running.crashes).toEqual([])
})

it('sets a message aside that killed the process again and again, and only that one', async () => {
  const running = aRunning()
  await say(running.log, ['one', 'two', 'bomb', 'three'])
  let bombs = 0
  const start = async (): Promise<'died' | 'done'> => {
    let die: () => void = () => undefined
    const died = new Promise<'died'>((resolve) => {
      die = () => {
        resolve('died')
      }
    })
    const stage = stageOf(async (word) => {
      if (word !== 'bomb') return hear(word)
      bombs += 1
      die()
      return new Promise<never>(() => undefined)
    })
    const consumer = await runStage(stage, running)
    const how = await Promise.race([died, untilCommitted(running, 4).then(() => 'done' as const)])
    if (how === 'died') running.memoryLog.crash('heard')
    else await consumer.stop()
    return how
  }

  let starts = 1
  while (starts < 10 && (await start()) === 'died') starts += 1 // endless if crashes are not counted

  expect(letters(running).map(({ headers }) => headers['reason'])).toEqual(['process_crashed'])
  expect(letters(running).map(({ headers }) => headers['original_offset'])).toEqual(['2'])
  expect(new Set((await wordsIn(running.memoryLog)).map(({ word }) => word))).toEqual(new Set(['one', 'two', 'three']))
  expect({ starts, bombs }).toEqual({ starts: 5, bombs: 4 })
})

it('finds several messages in a row that kill the process', async () => {
  const running = aRunning()
  await say(running.log, ['bomb', 'bomb', 'bomb', 'three', 'bomb', 'bomb'])
  const start = async (): Promise<'died' | 'done'> => {
    const died = new Promise<'died'>((resolve) => {
      const stage = stageOf((word) => {
        if (word !== 'bomb') return hear(word)
        resolve('died')
        return new Promise<never>(() => undefined)
      })
      void runStage(stage, running)
    })
    const how = await Promise.race([died, untilCommitted(running, 6).then(() => 'done' as const)])
    running.memoryLog.crash('heard')
    return how
  }

  let starts = 0
  while (starts < 60 && (await start()) === 'died') starts += 1

  expect(letters(running).map(({ headers }) => headers['original_offset'])).toEqual(['0', '1', '2', '4', '5'])
  expect(new Set((await wordsIn(running.memoryLog)).map(({ word }) => word))).toEqual(new Set(['three']))
})

it('sets no message aside if the process dies at its first decision, whichever it is', async () => {
  const running = aRunning()
  await say(running.log, ['one', 'two', 'three'])
  for (let lives = 0; lives < 10; lives++) {
    await new Promise<void>((died) => {
      const dying = stageOf(() => {
        died()
        return new Promise<never>(() => undefined)
      })
      void runStage(dying, running)
    })
    running.memoryLog.crash('heard')
  }

  const consumer = await runStage(stageOf(hear), running)

  await untilCommitted(running, 3)
  await consumer.stop()
  expect(letters(running)).toEqual([])
  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one', 'two', 'three'])
})

it('writes nothing of a batch whose partition was taken away', async () => {
  const running = aRunning()
  await say(running.log, ['one'])
  let taken = false
  const stage = stageOf(async (word) => {
    if (!taken) {
      taken = true
      running.memoryLog.crash('heard')
    }
    return hear(word)
  })

  await runStage(stage, running)

  await vi.waitFor(async () => {
    expect(await running.metrics.page()).toContain('story_stale_batches_total{stage="heard"} 1')
  }, soon)
  expect(running.memoryLog.records(wordsHeard.name)).toEqual([])
})

it('finishes what is in hand when stopped, and commits it', async () => {
  const running = aRunning()
  await say(running.log, ['one'])
  let began: () => void = () => undefined
  let goOn: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (began = resolve))
  const going = new Promise<void>((resolve) => (goOn = resolve))
  const consumer = await runStage(
    stageOf(async (word) => {
      began()
      await going
      return hear(word)
    }),
    running,
  )
  await begun

  const stopped = consumer.stop()
  goOn()
  await stopped

  expect(await running.log.committed('heard', wordsSaid.name)).toEqual([1])
  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one'])
})

it('gives an event that came without an id its place for one, the same at every read', async () => {
  const running = aRunning()
  const ids: string[] = []
  await running.log.produce([
    { topic: wordsSaid.name, key: null, value: await wordCodec().encode(wordsSaid, { event_id: '', word: 'one' }) },
  ])
  const stage: Stage<RunningWord, RunningWord> = {
    ...stageOf(hear),
    handle: async (inputs) => inputs.map(({ event }) => (ids.push(event.event_id), hear(event.word))),
  }

  const consumer = await runStage(stage, running)

  await untilCommitted(running, 1)
  await consumer.stop()
  expect(ids).toEqual([derivedId({ stage: 'words.said', version: '1' }, '0:0')])
})

it('tries again when a stage gives another number of outcomes than it got inputs', async () => {
  const running = aRunning()
  await say(running.log, ['one', 'two'])
  let calls = 0
  const stage: Stage<RunningWord, RunningWord> = {
    ...stageOf(hear),
    handle: async (inputs) => inputs.slice(calls++ === 0 ? 1 : 0).map(({ event }) => hear(event.word)),
  }

  const consumer = await runStage(stage, running)

  await untilCommitted(running, 2)
  await consumer.stop()
  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one', 'two'])
})

describe('a stage that emits very much for one input', () => {
  const PART = 5
  const MANY = 23
  /** Creates events lazily, and counts how many are created before the earlier ones are in the log. */
  const echoing = (running: TestRunning, made: { most: number }): Stage<RunningWord, RunningWord> => ({
    ...stageOf(hear),
    handle: async (inputs) => {
      const written = () => running.memoryLog.records(wordsHeard.name).length
      function* echoes(word: string): Generator<RunningWord> {
        const before = written()
        for (let i = 0; i < MANY; i++) {
          made.most = Math.max(made.most, i + 1 - (written() - before))
          yield { event_id: `${word} ${i}`, word: `${word} ${i}` }
        }
      }
      return Promise.resolve(inputs.map(({ event }) => emitEach({ [Symbol.iterator]: () => echoes(event.word) })))
    },
  })
  const echoed = Array.from({ length: MANY }, (_, i) => `one ${i}`)

  it('has no more than a part of it in memory, and writes it in order', async () => {
    const running = aRunning({ limits: { partRecords: PART } })
    const made = { most: 0 }
    await say(running.log, ['one'])

    const consumer = await runStage(echoing(running, made), running)

    await untilCommitted(running, 1)
    await consumer.stop()
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(echoed)
    expect(made.most).toBeLessThanOrEqual(PART + 1)
    expect(await running.metrics.page()).toContain(`story_events_total{stage="heard",topic="words.heard"} ${MANY}`)
  })

  it.each([1, 2, 3, 4, 5])(
    'loses none of it when the process dies after chunk %i: it is all written again',
    async (nth) => {
      const running = aRunning({ limits: { partRecords: PART } })
      await say(running.log, ['one'])
      const { log, died } = aDyingLog(running.log, { call: 'produce', nth, when: 'after' })
      await runStage(echoing(running, { most: 0 }), { ...running, log })
      await died
      running.memoryLog.crash('heard')

      const consumer = await runStage(echoing(running, { most: 0 }), running)

      await untilCommitted(running, 1)
      await consumer.stop()
      const words = (await wordsIn(running.memoryLog)).map(({ word }) => word)
      expect(words.slice(-MANY)).toEqual(echoed)
      expect(words).toEqual([...echoed.slice(0, nth * PART), ...echoed])
    },
  )
})
