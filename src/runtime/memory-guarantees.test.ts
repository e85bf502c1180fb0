import { describe, expect, it, vi } from 'vitest'
import { soon } from '../../test/builders/soon.ts'
import {
  aDyingLog,
  aRunning,
  counted,
  countedMemory,
  say,
  trusting,
  wordRequests,
  wordsHeard,
  wordsIn,
  wordsSaid,
  type RunningCount,
  type Death,
  type TestRunning,
} from '../../test/builders/running.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import { takeOver } from './held-memory.ts'
import { runMemoryStage } from './run-memory-stage.ts'

const SAID = ['a', 'b', 'a', 'c', 'a', 'b']
const EMITTED = ['a 1', 'b 1', 'a 2', 'c 1', 'a 3', 'b 2']

const untilRead = async ({ log }: TestRunning, end: number, topic = wordsSaid) => {
  await vi.waitFor(async () => {
    expect(await log.committed('counted', topic.name)).toEqual([end])
  }, soon)
}

const remembered = async (running: TestRunning) => {
  const { state } = await takeOver(counted, 0, running)
  return Object.fromEntries([...state].map(([word, { count }]) => [word, count]))
}

const emitted = async ({ memoryLog }: TestRunning) => (await wordsIn(memoryLog)).map(({ word }) => word)

it('decides each input with everything remembered before it', async () => {
  const running = aRunning()
  await say(running.log, SAID)

  const consumer = await runMemoryStage(counted, running)

  await untilRead(running, 6)
  await consumer.stop()
  expect(await emitted(running)).toEqual(EMITTED)
  expect(await remembered(running)).toEqual({ a: 3, b: 2, c: 1 })
})

describe.each([
  ['of a stage that knows repeats', counted],
  ['of a stage that does not', trusting],
])('what it remembers after a crash is the fold of its history, and it tells everything once: %s', (_, stage) => {
  const deaths: readonly (Death & { readonly between: string })[] = [
    { between: 'deciding and writing', call: 'write', nth: 1, when: 'before' },
    { between: 'writing and going on', call: 'write', nth: 1, when: 'after' },
    { between: 'one part and the next', call: 'write', nth: 2, when: 'before' },
    { between: 'the next part and going on', call: 'write', nth: 2, when: 'after' },
  ]

  it.each(deaths)('between $between', async (death) => {
    const running = aRunning({ limits: { partRecords: 2 } })
    await say(running.log, SAID)
    const { log, died } = aDyingLog(running.log, death)
    await runMemoryStage(stage, { ...running, log })
    await died
    running.memoryLog.crash('counted')

    const consumer = await runMemoryStage(stage, running)

    await untilRead(running, 6)
    await consumer.stop()
    expect(await emitted(running)).toEqual(EMITTED)
    expect(await remembered(running)).toEqual({ a: 3, b: 2, c: 1 })
  })
})

it('throws its memory away after a failed write, restores it and goes on', async () => {
  const memoryLog = new MemoryLog()
  let failures = 3
  const log = Object.assign(Object.create(memoryLog) as MemoryLog, {
    writer: async (id: string) => {
      const writer = await memoryLog.writer(id)
      const write: typeof writer.write = async (records, read) => {
        // the response to a commit is lost, although the commit succeeded
        if (failures-- > 0 && failures % 2 === 0) await writer.write(records, read)
        if (failures >= 0) throw new Error('no answer')
        await writer.write(records, read)
      }
      return { ...writer, write }
    },
  })
  const running = aRunning({ memoryLog, log, limits: { partRecords: 2 } })
  await say(memoryLog, SAID)

  const consumer = await runMemoryStage(counted, running)

  await untilRead(running, 6)
  await consumer.stop()
  expect(await emitted(running)).toEqual(EMITTED)
  expect(await remembered(running)).toEqual({ a: 3, b: 2, c: 1 })
})

it('a second process takes a partition over with everything the first one remembered', async () => {
  const running = aRunning()
  await say(running.log, SAID)
  const first = await runMemoryStage(counted, running)
  await untilRead(running, 6)
  await first.stop()
  running.memoryLog.compact(countedMemory.name)

  const second = await runMemoryStage(counted, running)
  await say(running.log, ['a', 'c'])

  await untilRead(running, 8)
  await second.stop()
  expect(await emitted(running)).toEqual([...EMITTED, 'a 4', 'c 2'])
})

/** Emits a word only the first time, until its state is evicted. */
const once: typeof counted = {
  ...counted,
  decide: (state, input) =>
    state.has(input.event.word) ? { kind: 'skip', reason: 'known', remember: [] } : counted.decide(state, input),
}

it('remembers nothing of its own once another has had the partition', async () => {
  const memoryLog = new MemoryLog({ partitions: () => 2 })
  const running = aRunning({ memoryLog })
  const sayIn = async (partition: number, words: readonly string[]) => {
    const records = words.map(async (word) => ({
      ...{ topic: wordsSaid.name, key: word, partition },
      value: await running.codec.encode(wordsSaid, { event_id: word, word }),
    }))
    await memoryLog.produce(await Promise.all(records))
  }
  const untilBoth = (ends: readonly number[]) =>
    vi.waitFor(async () => expect(await memoryLog.committed('counted', wordsSaid.name)).toEqual(ends), soon)
  await sayIn(0, ['x'])
  await sayIn(1, ['a'])
  const first = await runMemoryStage(once, running)
  await untilBoth([1, 1])
  const second = await runMemoryStage(once, running)
  await sayIn(1, ['forget'])
  await untilBoth([1, 2])
  await second.stop()

  await sayIn(1, ['a'])

  await untilBoth([1, 3])
  await first.stop()
  expect((await emitted(running)).filter((word) => word.startsWith('a'))).toEqual(['a 1', 'a 1'])
})

/** A log of two partitions, with one word in each. */
async function aLogOfTwo() {
  const memoryLog = new MemoryLog({ partitions: () => 2, batchRecords: 1 })
  const running = aRunning({ memoryLog })
  const sayIn = async (partition: number, words: readonly string[]) => {
    const records = words.map(async (word) => ({
      ...{ topic: wordsSaid.name, key: word, partition },
      value: await running.codec.encode(wordsSaid, { event_id: word, word }),
    }))
    await memoryLog.produce(await Promise.all(records))
  }
  const untilBoth = (ends: readonly number[]) =>
    vi.waitFor(async () => expect(await memoryLog.committed('counted', wordsSaid.name)).toEqual(ends), soon)
  await sayIn(0, ['x'])
  await sayIn(1, ['a'])
  return { running, sayIn, untilBoth }
}

it('keeps the state of a partition that stays in the process during a rebalance', async () => {
  const { running, sayIn, untilBoth } = await aLogOfTwo()
  const first = await runMemoryStage(counted, running)
  await untilBoth([1, 1])

  const second = await runMemoryStage(counted, running)
  await sayIn(0, ['x'])
  await sayIn(1, ['a'])

  await untilBoth([2, 2])
  await Promise.all([first.stop(), second.stop()])
  expect((await emitted(running)).toSorted()).toEqual(['a 1', 'a 2', 'x 1', 'x 2'])
  // two of the first process, and the one that moved
  expect(await running.metrics.page()).toContain('story_restores_total{stage="counted"} 3')
})

it('ends a restore when the partition is revoked, and is not ready meanwhile', async () => {
  const { running, sayIn, untilBoth } = await aLogOfTwo()
  const before = await runMemoryStage(counted, running)
  await sayIn(0, ['b', 'c', 'd'])
  await sayIn(1, ['b', 'c', 'd'])
  await untilBoth([4, 4])
  await before.stop()
  const read: number[] = []
  let goOn: () => void = () => undefined
  const rebalanced = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const log = Object.assign(Object.create(running.memoryLog) as MemoryLog, {
    async *read(topic: string, partition: number, from: number) {
      for await (const records of running.memoryLog.read(topic, partition, from)) {
        const isSlow = topic === countedMemory.name && partition === 1
        if (isSlow) read.push(partition)
        yield records
        if (isSlow) await rebalanced
      }
    },
  })
  await sayIn(1, ['a'])
  const slow = await runMemoryStage(counted, { ...running, log })
  await vi.waitFor(() => expect(read).toEqual([1]), soon)
  expect(running.metrics.pulses.some(({ restoring }) => restoring)).toBe(true)

  const quick = await runMemoryStage(counted, running) // takes partition 1
  goOn()

  await untilBoth([4, 5])
  await vi.waitFor(() => expect(running.metrics.pulses.slice(1).some(({ restoring }) => restoring)).toBe(false), soon)
  await Promise.all([slow.stop(), quick.stop()])
  expect(read).toEqual([1, 1]) // of four chunks
})

it('goes on with the restore of a partition that stays in the process during a rebalance', async () => {
  const { running, sayIn, untilBoth } = await aLogOfTwo()
  const before = await runMemoryStage(counted, running)
  await sayIn(0, ['b', 'c', 'd'])
  await untilBoth([4, 1])
  await before.stop()
  const begins: number[] = []
  let isRebalanced = false
  const log = Object.assign(Object.create(running.memoryLog) as MemoryLog, {
    consume: (...[subscription, handle]: Parameters<MemoryLog['consume']>) =>
      running.memoryLog.consume({ ...subscription, onJoined: () => undefined }, (batch) =>
        handle({ ...batch, isRevoked: () => isRebalanced && batch.end === 5 }),
      ),
    async *read(topic: string, partition: number, from: number) {
      if (topic === countedMemory.name) begins.push(from)
      for await (const records of running.memoryLog.read(topic, partition, from)) {
        yield records
        isRebalanced = topic === countedMemory.name && from === 0 && begins.length === 1
      }
    },
  })
  await sayIn(0, ['b'])

  const slow = await runMemoryStage(counted, { ...running, log, checkpoints: null })

  await untilBoth([5, 1])
  await slow.stop()
  expect(begins[0]).toBe(0)
  expect(begins[1]).toBeGreaterThan(0)
  expect((await emitted(running)).toSorted()).toEqual(['a 1', 'b 1', 'b 2', 'c 1', 'd 1', 'x 1'])
})

it('goes on with a restore during which it was too busy to notice answers to its heartbeats', async () => {
  const running = aRunning()
  await say(running.log, SAID)
  const before = await runMemoryStage(counted, running)
  await untilRead(running, 6)
  await before.stop()
  await say(running.log, ['a'])
  let [isBusy, restores] = [false, 0]
  const log = Object.assign(Object.create(running.memoryLog) as MemoryLog, {
    consume: (...[subscription, handle]: Parameters<MemoryLog['consume']>) =>
      running.memoryLog.consume(subscription, (batch) =>
        handle({
          ...batch,
          isStale: () => isBusy || batch.isStale(),
          heartbeat: async () => {
            await batch.heartbeat()
            isBusy = false
          },
        }),
      ),
    async *read(topic: string, partition: number, from: number) {
      if (topic === countedMemory.name && from === 0) restores++
      for await (const records of running.memoryLog.read(topic, partition, from)) {
        isBusy = topic === countedMemory.name
        yield records
      }
    },
  })

  const busy = await runMemoryStage(counted, { ...running, log })

  await untilRead(running, 7)
  await busy.stop()
  expect(restores).toBe(1)
  expect(await remembered(running)).toEqual({ a: 4, b: 2, c: 1 })
})

it('restores a partition that another process had without its notice', async () => {
  const { running, sayIn, untilBoth } = await aLogOfTwo()
  let goOn: () => void = () => undefined
  const blocked = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const blocking: typeof once = {
    ...once,
    prepare: async (inputs) => {
      if (inputs.some(({ event }) => event.word === 'wait')) await blocked
      return inputs
    },
  }
  const first = await runMemoryStage(blocking, running)
  await untilBoth([1, 1])
  await sayIn(0, ['wait'])
  const second = await runMemoryStage(once, running)
  await sayIn(1, ['forget'])
  await untilBoth([1, 2])
  await second.stop()
  goOn()

  await sayIn(1, ['a'])

  await untilBoth([2, 3])
  await first.stop()
  expect((await emitted(running)).filter((word) => word.startsWith('a'))).toEqual(['a 1', 'a 1'])
})

it('takes turns with several inputs of one partition: one memory, one history', async () => {
  const running = aRunning({ limits: { partRecords: 1 } })
  await say(running.log, ['a', 'a', 'a'])
  await say(running.log, ['a', 'a', 'a'], wordRequests)

  const consumer = await runMemoryStage(counted, running)

  await untilRead(running, 3)
  await untilRead(running, 3, wordRequests)
  await consumer.stop()
  expect(await emitted(running)).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5', 'a 6'])
})

it('forgets with a tombstone, and remembers that it forgot', async () => {
  const running = aRunning({ limits: { partRecords: 1 } })
  await say(running.log, ['a', 'b', 'forget', 'a'])

  const consumer = await runMemoryStage(counted, running)

  await untilRead(running, 4)
  await consumer.stop()
  expect(await emitted(running)).toEqual(['a 1', 'b 1', 'a 1'])
  expect(await remembered(running)).toEqual({ a: 1 })
})

it('sets aside what is no event, what it refuses, and an input whose decision always throws; the rest goes on', async () => {
  const running = aRunning()
  await say(running.log, ['a', 3, 'no', 'bang', 'a'])

  const consumer = await runMemoryStage(counted, running)

  await untilRead(running, 5)
  await consumer.stop()
  expect(await emitted(running)).toEqual(['a 1', 'a 2'])
  const letters = running.memoryLog.records('words.said.dead').map(({ headers }) => headers['reason'])
  expect(letters).toEqual(['malformed_avro', 'word_is_no', 'decision_threw'])
})

it('repeats nothing when its offsets are set back', async () => {
  const running = aRunning()
  await say(running.log, SAID)
  const first = await runMemoryStage(counted, running)
  await untilRead(running, 6)
  await first.stop()

  running.memoryLog.commit('counted', { topic: wordsSaid.name, partition: 0, offset: 3 }, null)
  const again = await runMemoryStage(counted, running)
  await say(running.log, ['c'])

  await untilRead(running, 7)
  await again.stop()
  // the state holds only the newest entry of each word; the runtime never replays committed inputs
  expect((await emitted(running)).slice(0, 6)).toEqual(EMITTED)
})

it('is stopped by a flood of refusals with nothing written', async () => {
  const running = aRunning({ limits: { floodRejects: 10 } })
  await say(
    running.log,
    Array.from({ length: 40 }, () => 'no'),
  )

  await runMemoryStage(counted, running)

  await vi.waitFor(() => {
    expect(running.crashes).toHaveLength(1)
  }, soon)
  expect(running.memoryLog.records('words.said.dead')).toEqual([])
  expect(await running.log.committed('counted', wordsSaid.name)).toEqual([0])
})

it('prepares inputs before it decides them', async () => {
  const running = aRunning()
  await say(running.log, ['a', 'b'])
  const prepared: typeof counted = {
    ...counted,
    prepare: async (inputs) =>
      inputs.map((input) => ({ ...input, event: { ...input.event, word: input.event.word.toUpperCase() } })),
  }

  const consumer = await runMemoryStage<
    Map<string, RunningCount>,
    { event_id: string; word: string },
    { event_id: string; word: string },
    RunningCount,
    never
  >(prepared, running)

  await untilRead(running, 2)
  await consumer.stop()
  expect(await emitted(running)).toEqual(['A 1', 'B 1'])
  expect(wordsHeard.name).toBe('words.heard')
})
