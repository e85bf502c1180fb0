import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import {
  aDyingLog,
  aRunning,
  counted,
  countedMemory,
  say,
  trusting,
  wordCodec,
  wordRequests,
  wordsHeard,
  wordsIn,
  wordsSaid,
  type TestRunning,
} from '../../test/builders/running.ts'
import { soon } from '../../test/builders/soon.ts'
import { MemoryLog } from '../adapters/memory-log.ts'
import type { Log } from '../ports/log.ts'
import { CrashGuard } from './crash-guard.ts'
import { runMemoryStage } from './run-memory-stage.ts'

/**
 * What was said (s) and asked (q), and when it was logged. Of records with the same log time, what was said comes
 * first.
 */
const TAKEN = ['s1 at 1', 's2 at 2', 'q1 at 3', 's3 at 4', 'q2 at 6', 's4 at 6', 's5 at 6', 'q3 at 7', 'q4 at 9']
const IN_ORDER = ['s1 1', 's2 1', 'q1 1', 's3 1', 's4 1', 's5 1', 'q2 1', 'q3 1', 'q4 1']

/** A log whose clock shows the time of the last record. */
function aTimedLog() {
  let now = 0
  const memoryLog = new MemoryLog({ now: () => now })
  const take = async (taken: string) => {
    const [word = '', at] = taken.split(' at ')
    now = Number(at)
    await say(memoryLog, [word], word.startsWith('s') ? wordsSaid : wordRequests)
  }
  return { memoryLog, take }
}

async function aFullLog() {
  const { memoryLog, take } = aTimedLog()
  for (const taken of TAKEN) await take(taken)
  return memoryLog
}

/** The same log for a consumer that receives the last topic first. */
const lastFirst = (memoryLog: MemoryLog): Log =>
  Object.assign(Object.create(memoryLog) as MemoryLog, {
    consume: (subscription: Parameters<Log['consume']>[0], handle: Parameters<Log['consume']>[1]) =>
      memoryLog.consume({ ...subscription, topics: [...subscription.topics].reverse() }, handle),
  })

const untilAllRead = async ({ log }: TestRunning, group = 'counted') => {
  await vi.waitFor(async () => {
    for (const { name } of counted.reads) {
      const committed = await log.committed(group, name)
      expect(committed.map((offset) => offset ?? 0)).toEqual(await log.ends(name))
    }
  }, soon)
}

const emitted = async ({ memoryLog }: TestRunning, topic = wordsHeard) =>
  (await wordsIn(memoryLog, topic)).map(({ word }) => word)

const orders = [
  ['the first topic', (log: MemoryLog): Log => log],
  ['the last topic', lastFirst],
] as const

it.each(orders)('decides in the order of the log when %s is delivered first', async (_, deliver) => {
  for (const partRecords of [1, 2, 500]) {
    const memoryLog = await aFullLog()
    const running = aRunning({ memoryLog, log: deliver(memoryLog), limits: { partRecords } })

    const consumer = await runMemoryStage(trusting, running)

    await untilAllRead(running)
    await consumer.stop()
    expect(await emitted(running)).toEqual(IN_ORDER)
  }
})

it.each(orders)('goes on in the order of the log after a crash, %s being delivered first', async (_, deliver) => {
  for (const nth of [1, 2, 3, 4]) {
    const memoryLog = await aFullLog()
    const running = aRunning({ memoryLog, log: deliver(memoryLog), limits: { partRecords: 2 } })
    const { log, died } = aDyingLog(running.log, { call: 'write', nth, when: 'after' })
    await runMemoryStage(trusting, { ...running, log })
    await died
    memoryLog.crash('counted')

    const consumer = await runMemoryStage(trusting, running)

    await untilAllRead(running)
    await consumer.stop()
    expect(await emitted(running)).toEqual(IN_ORDER)
  }
})

it('does not decide again what came along with another topic, though its own batch begins with it', async () => {
  let now = 0
  const memoryLog = new MemoryLog({ now: () => ++now })
  const running = aRunning({ memoryLog })
  const codec = wordCodec()
  const word = { event_id: '', word: 'a' }
  const values = new Map([
    [wordsSaid.name, await codec.encode(wordsSaid, word)],
    [wordRequests.name, await codec.encode(wordRequests, word)],
  ])
  const take = (...topics: readonly { readonly name: string }[]) =>
    memoryLog.produce(topics.map(({ name }) => ({ topic: name, key: 'a', value: values.get(name) ?? null })))
  const live = await runMemoryStage(trusting, running)
  const untilEmitted = (count: number) =>
    vi.waitFor(async () => expect(await emitted(running)).toHaveLength(count), soon)
  await take(wordsSaid, wordRequests)
  await untilEmitted(2)
  await untilAllRead(running)

  await take(wordRequests, wordsSaid, wordRequests) // said brings the first along, then asked is delivered with both

  await untilAllRead(running)
  await live.stop()
  expect(await emitted(running)).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'a 5'])
})

it('decides a replay as it decided live', async () => {
  const { memoryLog, take } = aTimedLog()
  const running = aRunning({ memoryLog })
  const live = await runMemoryStage(counted, running)
  for (const taken of TAKEN.slice(0, 3)) {
    await take(taken)
    await untilAllRead(running)
  }
  for (const taken of ['s3 at 4', 'q2 at 5', 's4 at 6', 'q3 at 7', 's5 at 8']) await take(taken) // faster than it reads
  await untilAllRead(running)
  await live.stop()

  const heardAgain = { ...wordsHeard, name: 'words.heard.again' }
  const again = { ...counted, name: 'again', writes: heardAgain }
  const memory = { ...counted.memory, changelog: { ...countedMemory, name: 'again.memory' } }
  const replay = await runMemoryStage({ ...again, memory }, { ...running, log: lastFirst(memoryLog) })

  await untilAllRead(running, 'again')
  await replay.stop()
  expect(await emitted(running, heardAgain)).toEqual(await emitted(running))
  expect(await emitted(running)).toHaveLength(8)
})

it('works off what else was waiting in transactions of a bounded size', async () => {
  const { memoryLog, take } = aTimedLog()
  for (let i = 1; i <= 100; i++) await take(`s${i} at ${i}`)
  await take('q1 at 200')
  const sizes: number[] = []
  const log = Object.assign(lastFirst(memoryLog), {
    writer: async (id: string) => {
      const writer = await memoryLog.writer(id)
      const write: typeof writer.write = async (records, read) => {
        sizes.push(records.filter(({ topic }) => topic === wordsHeard.name).length)
        await writer.write(records, read)
      }
      return { ...writer, write }
    },
  })
  const running = aRunning({ memoryLog, log, limits: { partRecords: 10 } })

  const consumer = await runMemoryStage(counted, running)

  await untilAllRead(running)
  await consumer.stop()
  expect((await emitted(running)).at(-1)).toBe('q1 1')
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(101)
  expect(Math.max(...sizes)).toBe(10)
})

it('reads a topic again only when something has come', async () => {
  const { memoryLog, take } = aTimedLog()
  const writer = await memoryLog.writer('w')
  const send = async (word: string) => {
    const value = await wordCodec().encode(wordsSaid, { event_id: word, word })
    await writer.write([{ topic: wordsSaid.name, key: word, value }], { group: 'g', next: [] })
  }
  const read = vi.spyOn(memoryLog, 'read')
  const readings = () => read.mock.calls.filter(([topic]) => topic === wordsSaid.name).length
  const running = aRunning({ memoryLog, log: lastFirst(memoryLog) })
  const consumer = await runMemoryStage(counted, running)
  const untilEmitted = async (words: readonly string[]) => {
    await vi.waitFor(async () => expect(await emitted(running)).toEqual(words), soon)
  }
  await send('s1') // plus a transaction marker, which readers never see
  await untilEmitted(['s1 1'])
  const before = readings()

  for (const [i, taken] of ['q1 at 11', 'q2 at 12', 'q3 at 13'].entries()) {
    await take(taken)
    await untilEmitted(['s1 1', 'q1 1', 'q2 1', 'q3 1'].slice(0, i + 2))
  }

  expect(readings() - before).toBeLessThanOrEqual(1)
  await consumer.stop()
})

it('waits until what was logged just before can be read', async () => {
  const { memoryLog, take } = aTimedLog()
  await take('q1 at 1000')
  const late = { is: true }
  const clock = {
    now: () => 1010,
    sleep: async (ms: number) => {
      await setImmediate()
      if (ms !== 70) return // the stage waits for its state
      if (late.is) await take('s1 at 990')
      late.is = false
    },
  }
  const running = aRunning({ memoryLog, log: lastFirst(memoryLog), clock, limits: { settleMs: 70 } })

  const consumer = await runMemoryStage(counted, running)

  await untilAllRead(running)
  await consumer.stop()
  expect(await emitted(running)).toEqual(['s1 1', 'q1 1'])
})

it('sets aside the message that kills the process, not the one it was read for', async () => {
  const { memoryLog, take } = aTimedLog()
  for (const taken of ['s1 at 1', 'sbomb at 2', 's2 at 3', 'q1 at 4']) await take(taken)
  const running = aRunning({ memoryLog, log: lastFirst(memoryLog), limits: { crashes: 3 } })
  const start = async (): Promise<'died' | 'done'> => {
    let die: (how: 'died') => void = () => undefined
    const died = new Promise<'died'>((resolve) => (die = resolve))
    const prepare: typeof counted.prepare = async (inputs) => {
      if (!inputs.some(({ event }) => event.word === 'sbomb')) return inputs
      die('died')
      return new Promise<never>(() => undefined)
    }
    const consumer = await runMemoryStage({ ...counted, prepare }, running)
    const how = await Promise.race([died, untilAllRead(running).then(() => 'done' as const)])
    if (how === 'died') memoryLog.crash('counted')
    else await consumer.stop()
    return how
  }

  let starts = 1
  while ((await start()) === 'died') starts += 1

  expect(memoryLog.records('words.said.dead').map(({ headers }) => headers['original_offset'])).toEqual(['1'])
  expect(memoryLog.records('words.calls.dead')).toEqual([])
  expect(await emitted(running)).toEqual(['s1 1', 's2 1', 'q1 1'])
  expect(starts).toBe(6) // the first crash does not count: earlier decisions were written and their note withdrawn
})

it('sets no message aside if the process dies at its first decision, whichever it is', async () => {
  const { memoryLog, take } = aTimedLog()
  for (const taken of ['s1 at 1', 's2 at 3', 'q1 at 4']) await take(taken)
  const running = aRunning({ memoryLog, limits: { crashes: 3 } })
  for (let lives = 0; lives < 10; lives++) {
    await new Promise<void>((died) => {
      const prepare: typeof counted.prepare = () => {
        died()
        return new Promise<never>(() => undefined)
      }
      void runMemoryStage({ ...counted, prepare }, running)
    })
    memoryLog.crash('counted')
  }

  const consumer = await runMemoryStage(counted, running)

  await vi.waitFor(async () => expect(await emitted(running)).toHaveLength(3), soon)
  await consumer.stop()
  expect(memoryLog.records('words.said.dead')).toEqual([])
  expect(memoryLog.records('words.calls.dead')).toEqual([])
})

it('notes what is in hand never behind what was read on the way of another topic', async () => {
  const memoryLog = new MemoryLog()
  await say(memoryLog, ['a', 'b', 'c'])
  const guard = new CrashGuard(memoryLog, 'counted', 3)
  const place = { topic: wordsSaid.name, partition: 0 }
  const records = memoryLog.records(wordsSaid.name)
  const alive = {
    highWatermark: 3,
    end: 3,
    heartbeat: async () => undefined,
    isRevoked: () => false,
    isStale: () => false,
    giveWay: () => undefined,
  }
  const batch = { ...place, records, ...alive, commit: async () => undefined }
  expect(await guard.open(batch)).toHaveLength(3) // then handling it fails

  memoryLog.commit('counted', { ...place, offset: 2 }, null)

  expect((await guard.open(batch)).map(({ offset }) => offset)).toEqual([2])
})

it('writes what it tells into the partition it was told in, whatever the key', async () => {
  const memoryLog = new MemoryLog({ partitions: () => 4 })
  await say(memoryLog, ['one', 'two', 'three', 'four', 'five', 'six'])
  const running = aRunning({ memoryLog })

  const consumer = await runMemoryStage(counted, running)

  await untilAllRead(running)
  await consumer.stop()
  const where = (topic: string) => memoryLog.records(topic).map(({ partition, key }) => [key?.split(' ')[0], partition])
  expect(where(wordsHeard.name)).toEqual(where(wordsSaid.name))
  expect(new Set(where(wordsHeard.name).map(([, partition]) => partition)).size).toBeGreaterThan(1)
})
