import { describe, expect, it, vi } from 'vitest'
import {
  aDyingLog,
  aRunning,
  counted,
  countedAs,
  say,
  wordCodec,
  wordRequests,
  wordsHeard,
  wordsIn,
  wordsSaid,
  type Death,
  type TestRunning,
  type RunningWord,
} from '../../../test/builders/running.ts'
import { soon } from '../../../test/builders/soon.ts'
import { derivedId } from '../../events/ids.ts'
import type { Log } from '../../ports/log.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { runStage } from '../../runtime/run-stage.ts'
import { emit, refuse, type Input, type Stage } from '../../runtime/shapes.ts'
import { filterOf, type FilterOptions } from './filter.ts'
import { lettersIn, readResolutions } from './letters.ts'
import { settle, type DeadSettlePorts } from './settle.ts'

const DEAD = 'words.said.dead'

/** Emits a word if it is in `known`; rejects other words. */
const hears = (
  known: readonly string[],
  name = 'heard',
  inputs: Input<RunningWord>[] = [],
): Stage<RunningWord, RunningWord> => ({
  name,
  version: '1',
  reads: wordsSaid,
  writes: { ...wordsHeard, name: `words.${name}` },
  handle: async (given) => {
    inputs.push(...given)
    return given.map(({ event }) =>
      known.includes(event.word)
        ? emit({ event_id: derivedId({ stage: name, version: '1' }, event.event_id), word: event.word })
        : refuse('word_unknown'),
    )
  },
})

async function run(running: TestRunning, stage: Stage<RunningWord, RunningWord>): Promise<void> {
  const consumer = await runStage(stage, running)
  await vi.waitFor(async () => {
    expect(await running.log.committed(stage.name, wordsSaid.name)).toEqual(await running.log.ends(wordsSaid.name))
  }, soon)
  await consumer.stop()
}

const ports = (log: Log): DeadSettlePorts => ({
  log,
  codec: () => Promise.resolve(wordCodec()),
  onSettled: () => undefined,
  dryRun: false,
})

const settling = (log: Log, how: 'retried' | 'dropped' = 'retried', options: FilterOptions = {}) =>
  settle(ports(log), how, { topics: [DEAD], filter: filterOf(options, 0) })

async function waiting(log: Log): Promise<{ readonly offset: number; readonly attempts: number }[]> {
  const letters = []
  for await (const letter of lettersIn(log, await readResolutions(log, [DEAD]))) {
    if (letter.resolution === null) letters.push({ offset: letter.original.offset, attempts: letter.attempts })
  }
  return letters
}

const retriedIn = ({ memoryLog }: TestRunning) =>
  memoryLog.records(wordsSaid.name).filter(({ headers }) => headers['retried_for'] !== undefined)

describe('a dead letter is retried once, wherever the command is killed', () => {
  const WORDS = Array.from({ length: 450 }, (_, i) => `word-${i}`)
  const deaths: readonly Death[] = [1, 2, 3].flatMap((nth) =>
    (['before', 'after'] as const).map((when): Death => ({ call: 'write', nth, when })),
  )

  it.each(deaths)('$when transaction $nth', async (death) => {
    const running = aRunning()
    await say(running.log, WORDS)
    await run(running, hears([]))
    const { log, died } = aDyingLog(running.log, death)
    void settling(log)
    await died

    await settling(running.log)
    const third = await settling(running.log)

    expect(third.letters).toEqual([])
    expect(retriedIn(running).map(({ key }) => key)).toEqual(WORDS)
    await run(running, hears(WORDS))
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(WORDS)
    expect(await waiting(running.log)).toEqual([])
  })

  it('also when two do it at the same time: the later one takes over', async () => {
    const running = aRunning()
    await say(running.log, WORDS)
    await run(running, hears([]))
    let between = (): Promise<unknown> => settling(running.log)
    const overtaken = Object.assign(Object.create(running.memoryLog) as Log, {
      ends: async (topic: string) => {
        const first = between
        between = () => Promise.resolve()
        await first()
        return running.memoryLog.ends(topic)
      },
    })

    // reads the resolutions after the other run has finished, so nothing is left; an open writer would be fenced
    // fenced
    expect((await settling(overtaken)).letters).toEqual([])
    const fenced = await running.log.writer('dead-letters')
    await settling(running.log)
    await expect(fenced.write([], { group: 'dead-letters', next: [] })).rejects.toThrow('fenced')
    expect(retriedIn(running).map(({ key }) => key)).toEqual(WORDS)
  })
})

describe('what is sent again', () => {
  it('is the same event: its bytes, key and headers, its place and time for whoever asks, and what comes of it', async () => {
    const running = aRunning()
    const value = await wordCodec().encode(wordsSaid, { event_id: '', word: 'one' }) // its position serves as its id
    await running.log.produce([{ topic: wordsSaid.name, key: 'k', value, headers: { request_id: 'r', own: 'o' } }])
    const [first, again]: [Input<RunningWord>[], Input<RunningWord>[]] = [[], []]
    await run(running, hears([], 'heard', first))

    await settling(running.log)
    await run(running, hears(['one'], 'heard', again))

    expect(again).toEqual(first)
    expect(retriedIn(running)).toMatchObject([{ key: 'k', value, headers: { request_id: 'r', own: 'o' } }])
    const id = derivedId({ stage: 'words.said', version: '1' }, '0:0')
    expect(await wordsIn(running.memoryLog)).toEqual([
      { event_id: derivedId({ stage: 'heard', version: '1' }, id), word: 'one' },
    ])
  })

  it('may be refused again: a letter of its own that says so, and knows where it all began', async () => {
    const running = aRunning()
    await say(running.log, ['one', 'two'])
    await run(running, hears(['one']))
    await settling(running.log)
    await run(running, hears(['one']))

    expect(await waiting(running.log)).toEqual([{ offset: 1, attempts: 2 }])
    await settling(running.log)
    await run(running, hears(['one', 'two']))

    expect(await waiting(running.log)).toEqual([])
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one', 'two'])
  })

  it('is for the stage that had set it aside: others have had it', async () => {
    const running = aRunning()
    await say(running.log, ['one'])
    await run(running, hears(['one'], 'overheard'))
    await run(running, hears([]))

    await settling(running.log)
    await run(running, hears(['one'], 'overheard'))
    await run(running, hears(['one']))

    expect(running.memoryLog.records('words.overheard').length).toBe(1)
    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one'])
  })

  it('comes to a memory once, after what came meanwhile, and to no other memory', async () => {
    const running = aRunning()
    await say(running.log, ['no', 'one'])
    const other = { ...countedAs('other'), reads: counted.reads }
    const readBy = async (stage: typeof counted) => {
      const consumer = await runMemoryStage(stage, running)
      await vi.waitFor(async () => {
        expect(await running.log.committed(stage.name, wordsSaid.name)).toEqual(await running.log.ends(wordsSaid.name))
      }, soon)
      await consumer.stop()
    }
    const taking: typeof counted = {
      ...counted,
      decide: (state, input) => counted.decide(state, { ...input, event: { ...input.event, word: 'yes' } }),
    }
    await readBy(counted)
    await readBy(other) // it rejected the same record

    await settling(running.log, 'retried', { stage: 'counted' })
    await readBy(taking)
    await readBy(other)

    expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one 1', 'yes 1'])
    expect(running.memoryLog.records('other.heard').length).toBe(1)
    expect((await waiting(running.log)).map(({ attempts }) => attempts)).toEqual([1])
    expect(await running.log.ends(wordRequests.name)).toEqual([0])
  })

  it('is read from its topic where it was too large to be set aside; what is gone from there is told', async () => {
    const running = aRunning()
    await say(running.log, ['one', 'two'])
    const short = (offset: number) => ({
      topic: DEAD,
      key: null,
      value: null,
      headers: {
        ...{ stage: 'heard', reason: 'too_large', attempts: '1', error: 'word_unknown' },
        ...{ original_topic: wordsSaid.name, original_partition: '0', original_offset: String(offset) },
      },
    })
    await running.log.produce([short(7), short(1)])

    const selection = { topics: [DEAD], filter: filterOf({}, 0) }
    const dry = await settle({ ...ports(running.log), dryRun: true }, 'retried', selection)
    expect(dry).toMatchObject({ gone: ['words.said.dead:0:0'], letters: [{ original: { offset: 1 } }] })
    expect(retriedIn(running)).toEqual([])
    const done = await settling(running.log, 'retried', { limit: '1' }) // a missing record does not count

    expect(retriedIn(running).map(({ key }) => key)).toEqual(['two'])
    expect(done.letters.length).toBe(1)
    expect(done.gone).toEqual(['words.said.dead:0:0'])
    expect(await waiting(running.log)).toEqual([{ offset: 7, attempts: 1 }])
  })
})

it('takes a letter that was written twice (its stage died before it committed) for one', async () => {
  const running = aRunning()
  await say(running.log, ['one'])
  const { log, died } = aDyingLog(running.log, { call: 'commit', nth: 1, when: 'before' })
  await runStage(hears([]), { ...running, log })
  await died
  running.memoryLog.crash('heard')
  await run(running, hears([]))
  expect(running.memoryLog.records(DEAD).length).toBe(2)

  await settling(running.log)
  await run(running, hears(['one']))

  expect((await wordsIn(running.memoryLog)).map(({ word }) => word)).toEqual(['one'])
  expect(await waiting(running.log)).toEqual([])
})

it('drops without sending anything again', async () => {
  const running = aRunning()
  await say(running.log, ['one'])
  await run(running, hears([]))

  await settling(running.log, 'dropped')
  await settling(running.log, 'retried')

  expect(retriedIn(running)).toEqual([])
  expect(await waiting(running.log)).toEqual([])
})
