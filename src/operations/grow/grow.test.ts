import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  aRunning,
  counted,
  type RunningWord,
  countedMemory,
  say,
  wordCodec,
  wordsHeard,
  wordsSaid,
} from '../../../test/builders/running.ts'
import { soon } from '../../../test/builders/soon.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { articlesIngested, articlesScored } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { storiesEnriched } from '../../events/discourse.ts'
import type { Topic } from '../../events/topic.ts'
import { isFiller, FIRST_PARTITION, type Codec, type LogRecord, type OutRecord } from '../../ports/log.ts'
import { deadLetter, originalNow, readDeadLetter, retriedRecord } from '../../runtime/dead-letter.ts'
import { readInputs } from '../../runtime/read-inputs.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { copyProgress, copyTopics, type GrowCopyPorts } from './copy.ts'
import { OffsetTaken, type Appender } from '../../ports/appender.ts'
import { retriedAppender } from './retried-appender.ts'
import type { GrownTopic } from './routes.ts'
import { switchOver, type SwitchPorts } from './switch-over.ts'

const [FROM, TO] = [3, 6]
const STATE = 'clustered.memory'
const CHANGED = 'changed.memory'
const TOPICS = [articlesIngested.name, articlesClustered.name, storiesEnriched.name, STATE, CHANGED]
const grownTopics = (topics = TOPICS): readonly GrownTopic[] => topics.map((topic) => ({ topic, from: FROM, to: TO }))

/** Events as JSON. */
const codec: Codec = {
  encode: async (_, event) => Buffer.from(JSON.stringify(event)),
  decode: async <Event>(_: Topic<Event>, value: Buffer) => ({
    kind: 'event',
    event: JSON.parse(value.toString()) as Event,
  }),
}

const logOf = (partitions: number) => {
  let now = 1_000
  return new MemoryLog({ partitions: () => partitions, now: () => now++, batchRecords: 4 })
}

/** Writes at the original timestamps, like a topic with `CreateTime`. Dies at an append, before or after it. */
const appenderTo = (log: MemoryLog, dieAt = Infinity, when: 'before' | 'after' = 'before') => {
  let appends = 0
  return async (): Promise<Appender> => ({
    append: async ({ topic, partition, offset }, records) => {
      const found = log.partition(topic, partition)
      if (appends > dieAt) throw new Error('dead')
      expect(found.end).toBe(offset)
      const dies = appends++ === dieAt
      if (dies && when === 'before') throw new Error('killed')
      for (const record of records) found.records.push({ ...record, topic, partition })
      found.end += records.length
      if (dies) throw new Error('killed')
    },
    close: async () => undefined,
  })
}

const copying = (from: MemoryLog, to: MemoryLog, over: Partial<GrowCopyPorts> = {}): GrowCopyPorts => ({
  ...{ from, to, codec, appender: appenderTo(to), onDone: () => undefined, discard: async () => undefined },
  ...over,
})

interface Happening {
  readonly topic: string
  readonly namespace: string
  readonly id: string
}

/** What the producers and stages write: stateful ones into the partition of the namespace, whatever the key. */
function recordOf(log: MemoryLog, { topic, namespace, id }: Happening, n: number): OutRecord {
  const value = Buffer.from(JSON.stringify({ event_id: '', namespace, id, n }))
  const ofNamespace = log.partitionOf(namespace, FROM)
  switch (topic) {
    case articlesIngested.name:
      return { topic, key: id === 'none' ? null : id, value }
    case articlesClustered.name:
      return { topic, key: namespace, value, partition: ofNamespace }
    case storiesEnriched.name:
      return { topic, key: `${id}:reddit`, value, partition: ofNamespace }
    case STATE:
      return { topic, key: `${namespace}:${id}`, value: n % 7 === 0 ? null : value, partition: ofNamespace }
    default: // known where it was scored and where it is in a story
      return {
        topic,
        key: `${namespace}:article:${id}`,
        value,
        partition: n % 2 === 0 ? ofNamespace : log.partitionOf(id, FROM),
      }
  }
}

async function happen(log: MemoryLog, happenings: readonly Happening[]): Promise<void> {
  for (const [n, one] of happenings.entries()) {
    const record = recordOf(log, one, n)
    if (n % 5 === 0)
      await (await log.writer('t')).write([record], { group: 'g', next: [] }) // leaves a marker
    else await log.produce([record])
  }
}

const happenings = fc.array(
  fc.record({
    topic: fc.constantFrom(...TOPICS),
    namespace: fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'),
    id: fc.constantFrom('one', 'two', 'three', 'four', 'five', 'none'),
  }),
  { maxLength: 80 },
)

const visible = (log: MemoryLog, topic: string): readonly LogRecord[] =>
  log.records(topic).filter((record) => !isFiller(record))

const content = ({ offset, key, value, loggedAt, headers }: LogRecord) => {
  const others = Object.entries(headers).filter(([name]) => name !== FIRST_PARTITION)
  return { offset, key, value: value?.toString() ?? null, loggedAt, headers: others }
}

/** All records and fillers. The time of a filler is that of a record before it, or 0 if none was read in the same run. */
const placed = (log: MemoryLog, topic: string) =>
  log.records(topic).map((record) => (isFiller(record) ? { ...record, loggedAt: 0 } : record))

const inOrder = (records: readonly LogRecord[]) => records.map((record) => JSON.stringify(content(record))).sort()

/** The keys by which a record of a topic was partitioned. */
const partitionKeys = ({ topic, key, value }: LogRecord): readonly string[] => {
  if (key === null) return []
  if (topic === articlesIngested.name || topic === articlesClustered.name) return [key]
  if (topic === storiesEnriched.name) return [(JSON.parse(value?.toString() ?? '') as Happening).namespace]
  const [namespace = '', , id = ''] = key.split(':')
  return topic === STATE ? [namespace] : [namespace, id]
}

async function ids(log: MemoryLog, topic: string): Promise<readonly string[]> {
  const { read } = await readInputs(articlesScored as Topic<unknown>, visible(log, topic), codec)
  return read.map(({ input }) => JSON.stringify([input.event, input.place])).sort()
}

async function expectGrown(from: MemoryLog, to: MemoryLog): Promise<void> {
  for (const topic of TOPICS) {
    const ends = await from.ends(topic)
    expect(await to.ends(topic)).toEqual([...ends, ...ends])
    for (const record of visible(to, topic)) {
      const where = partitionKeys(record).map((key) => to.partitionOf(key, TO))
      if (record.key !== null) expect(where, `${topic} ${record.key}`).toContain(record.partition)
    }
    if (topic === CHANGED) {
      expect([...new Set(inOrder(visible(to, topic)))]).toEqual([...new Set(inOrder(visible(from, topic)))])
      continue
    }
    expect(inOrder(visible(to, topic))).toEqual(inOrder(visible(from, topic)))
    if (topic !== STATE) expect(await ids(to, topic)).toEqual(await ids(from, topic))
  }
}

describe('a grown log', () => {
  it('has every record once, at its offset, in the partition of its key, with its time and its id', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, happenings, async (first, later) => {
        const [from, to] = [logOf(FROM), logOf(TO)]
        await happen(from, first)
        await copyTopics(copying(from, to), grownTopics())
        await happen(from, later)

        await copyTopics(copying(from, to), grownTopics())

        await expectGrown(from, to)
      }),
      { numRuns: 60 },
    )
  })

  it('is the same after an interruption at every write', async () => {
    const many = fc.sample(happenings, { numRuns: 4, seed: 7 }).flat()
    const whole = logOf(TO)
    const from = logOf(FROM)
    await happen(from, many)
    let writes = 0
    const counting = async () => {
      const appender = await appenderTo(whole)()
      return {
        ...appender,
        append: async (...given: Parameters<Appender['append']>) => {
          writes += 1
          await appender.append(...given)
        },
      }
    }
    await copyTopics(copying(from, whole, { appender: counting }), grownTopics())

    for (let at = 0; at < writes; at++) {
      for (const when of ['before', 'after'] as const) {
        const to = logOf(TO)
        const killed = copyTopics(copying(from, to, { appender: appenderTo(to, at, when) }), grownTopics())
        await expect(killed).rejects.toThrow('killed')
        await copyTopics(copying(from, to), grownTopics())

        for (const topic of TOPICS) expect(placed(to, topic)).toEqual(placed(whole, topic))
      }
    }
    await expectGrown(from, whole)
  })

  it('has an article in both partitions in which the feed knows it', async () => {
    const from = new MemoryLog()
    const to = logOf(12)
    await from.produce([{ topic: CHANGED, key: 'alpha:article:one', value: Buffer.from('{}') }])

    await copyTopics(copying(from, to), [{ topic: CHANGED, from: 1, to: 12 }])

    const found = visible(to, CHANGED).map(({ partition }) => partition)
    expect(new Set(found)).toEqual(new Set([to.partitionOf('alpha', 12), to.partitionOf('one', 12)]))
    expect(visible(to, CHANGED).map(({ headers }) => headers)).toEqual(found.map(() => ({})))
  })

  it('shows no filler to a reader', async () => {
    const [from, to] = [logOf(FROM), logOf(TO)]
    await happen(from, fc.sample(happenings, { numRuns: 3, seed: 3 }).flat())
    await copyTopics(copying(from, to), grownTopics())

    for (const topic of TOPICS) {
      for (const partition of to.partitionNumbers(topic)) {
        for await (const records of to.read(topic, partition, 0)) expect(records.some(isFiller)).toBe(false)
      }
    }
  })
})

describe('a dead letter from before the partitions grew', () => {
  it('is retried in the partition where its key is now, under the id of its first place', async () => {
    const [from, to] = [logOf(FROM), logOf(TO)]
    const moved = ['one', 'two', 'three', 'four', 'five', 'six'].find((id) => from.partitionOf(id, TO) >= FROM) ?? ''
    const value = Buffer.from(JSON.stringify({ event_id: '', namespace: 'alpha' }))
    await from.produce([{ topic: articlesIngested.name, key: moved, value }])
    const [record] = from.records(articlesIngested.name)
    if (record === undefined) throw new Error('nothing was written')
    await from.produce([deadLetter(record, { stage: 'scored', reason: 'test' })])
    const grown = [articlesIngested.name, `${articlesIngested.name}.dead`].map((topic) => ({
      topic,
      from: FROM,
      to: TO,
    }))
    await copyTopics(copying(from, to), grown)

    const [letter] = visible(to, `${articlesIngested.name}.dead`)
    if (letter === undefined) throw new Error('the letter is missing')
    await to.produce([retriedRecord(letter, originalNow(letter, readDeadLetter(letter).original), letter)])

    const partition = to.partitionOf(moved, TO)
    const [first, retried] = visible(to, articlesIngested.name)
    expect([first?.partition, retried?.partition]).toEqual([partition, partition])
    const events = async (records: readonly LogRecord[]) =>
      (await readInputs(articlesScored as Topic<unknown>, records, codec)).read.map(({ input }) => input.event)
    expect(await events([retried ?? record])).toEqual(await events([record]))
    expect(await events([first ?? record])).toEqual(await events([record]))
  })
})

const WORDS = ['a', 'b', 'c', 'd', 'e', 'f']
const WORD_TOPICS = [wordsSaid.name, wordsHeard.name, countedMemory.name]
const GROUPS = [{ group: 'counted', reads: [wordsSaid.name] }]

const switching = (from: MemoryLog, to: MemoryLog, over: Partial<SwitchPorts> = {}): SwitchPorts => ({
  ...{
    from,
    to,
    codec: wordCodec(),
    appender: appenderTo(to),
    onDone: () => undefined,
    groups: GROUPS,
    discard: async () => undefined,
  },
  ...{ busy: async () => [], seal: async () => undefined, fence: async () => undefined, open: async () => undefined },
  ...over,
})

/** Runs the stage that counts words until it has read the log. */
async function count(log: MemoryLog): Promise<void> {
  const consumer = await runMemoryStage(counted, aRunning({ memoryLog: log, limits: { partRecords: 2 } }))
  await vi.waitFor(async () => {
    const [ends, committed] = [await log.ends(wordsSaid.name), await log.committed('counted', wordsSaid.name)]
    expect(committed.map((offset) => offset ?? 0)).toEqual(ends)
  }, soon)
  await consumer.stop()
}

/** What a stage has emitted of each word, in order. */
async function heard(log: MemoryLog): Promise<Readonly<Record<string, readonly RunningWord[]>>> {
  const words = wordCodec()
  const all: Record<string, RunningWord[]> = Object.fromEntries(WORDS.map((word) => [word, []]))
  for (const { value } of visible(log, wordsHeard.name)) {
    const decoded = await words.decode(wordsHeard, value ?? Buffer.alloc(0))
    if (decoded.kind === 'malformed') throw new Error(decoded.reason)
    all[decoded.event.word.split(' ')[0] ?? '']?.push(decoded.event)
  }
  return all
}

const grownWords = WORD_TOPICS.map((topic) => ({ topic, from: FROM, to: TO }))

describe('the switch-over', () => {
  it('lets a stateful stage continue with its state and its position, and emit the same ids', async () => {
    const [from, to, never] = [logOf(FROM), logOf(TO), logOf(FROM)]
    const said = [...WORDS, ...WORDS]
    await say(from, said)
    await count(from)
    await say(from, WORDS)

    await switchOver(switching(from, to), grownWords)
    await count(to)
    await say(to, WORDS)
    await count(to)

    await say(never, [...said, ...WORDS, ...WORDS])
    await count(never)
    const [grown, expected] = [await heard(to), await heard(never)]
    for (const word of WORDS) {
      expect(grown[word]?.map(({ word: text }) => text)).toEqual([1, 2, 3, 4].map((times) => `${word} ${times}`))
      // ids of the stage are derived from offsets, and the last word was said after the switch-over
      expect(grown[word]?.slice(0, 3)).toEqual(expected[word]?.slice(0, 3))
    }
  })

  it('is completed by another run after an interruption at every step', async () => {
    const from = logOf(FROM)
    await say(from, [...WORDS, ...WORDS])
    await count(from)
    const steps = async (to: MemoryLog, dieAt: number): Promise<number> => {
      let step = 0
      const mortal = async (): Promise<void> => {
        if (step > dieAt) throw new Error('dead')
        if (step++ === dieAt) throw new Error('killed')
      }
      const ports = switching(from, to)
      const appender = async (): Promise<Appender> => {
        const one = await ports.appender()
        return { ...one, append: (at, records) => mortal().then(() => one.append(at, records)) }
      }
      const target = Object.assign(Object.create(to) as MemoryLog, {
        writer: async (id: string) => mortal().then(() => to.writer(id)),
      })
      const dying = {
        appender,
        to: target,
        seal: mortal,
        fence: mortal,
        open: mortal,
        busy: async () => mortal().then(() => []),
      }
      await switchOver(switching(from, to, dying), grownWords)
      return step
    }
    const whole = logOf(TO)
    const all = await steps(whole, Infinity)

    for (let at = 0; at < all; at++) {
      const to = logOf(TO)
      await expect(steps(to, at)).rejects.toThrow('killed')
      await switchOver(switching(from, to), grownWords)

      for (const topic of WORD_TOPICS) expect(placed(to, topic)).toEqual(placed(whole, topic))
      expect(await to.committed('counted', wordsSaid.name)).toEqual(await whole.committed('counted', wordsSaid.name))
    }
  })

  it('is refused while a consumer runs, and changes nothing', async () => {
    const [from, to] = [logOf(FROM), logOf(TO)]
    const seal = vi.fn()

    const refused = switchOver(switching(from, to, { seal, busy: async () => ['counted'] }), grownWords)

    await expect(refused).rejects.toThrow('consumers are still running: counted')
    expect(seal).not.toHaveBeenCalled()
  })

  it('is refused where records arrive meanwhile or the new topics have others', async () => {
    const [from, to] = [logOf(FROM), logOf(TO)]
    await say(from, WORDS)
    const ends = from.ends.bind(from)
    let calls = 0
    const busyProducer = Object.assign(Object.create(from) as MemoryLog, {
      ends: async (topic: string) => {
        if (topic === wordsSaid.name && ++calls === 2) await say(from, ['a'])
        return ends(topic)
      },
    })
    await expect(switchOver(switching(busyProducer, to), grownWords)).rejects.toThrow('arrived meanwhile')

    await switchOver(switching(from, to), grownWords)
    await say(to, ['a'])
    await expect(switchOver(switching(from, to), grownWords)).rejects.toThrow('something else has written')
  })

  it('says beforehand how much is left', async () => {
    const [from, to] = [logOf(FROM), logOf(TO)]
    await say(from, WORDS)
    const [before] = await copyProgress({ from, to }, grownWords)
    await copyTopics(switching(from, to), grownWords)
    const [after] = await copyProgress({ from, to }, grownWords)

    expect([before, after]).toMatchObject([
      { offsets: 6, left: 6 },
      { offsets: 6, left: 0 },
    ])
  })
})

describe('a write that fails', () => {
  const record = { offset: 0, key: 'a', value: Buffer.from('a'), headers: {}, loggedAt: 1 }
  const at = { topic: articlesIngested.name, partition: 0, offset: 0 }
  const clock = { sleep: async () => undefined }

  it.each(['before', 'after'] as const)('is repeated once if it failed %s it was written', async (when) => {
    const log = logOf(TO)
    const failing = appenderTo(log, 0, when)
    const appenders = [failing, appenderTo(log)]
    const appender = await retriedAppender({ log, clock, open: async () => (appenders.shift() ?? failing)() })

    await appender.append(at, [record])

    expect(visible(log, at.topic)).toHaveLength(1)
  })

  it('ends the copy if something else has written meanwhile, and the topic is begun again', async () => {
    const [from, to] = [logOf(FROM), logOf(TO)]
    await happen(from, fc.sample(happenings, { numRuns: 2, seed: 5 }).flat())
    const taken = async (): Promise<Appender> => ({
      append: async (place) => Promise.reject(new OffsetTaken(place)),
      close: async () => undefined,
    })
    const discard = vi.fn(async (topic: string) => to.deleteTopic(topic))

    await expect(copyTopics(copying(from, to, { appender: taken, discard }), grownTopics())).rejects.toThrow(
      OffsetTaken,
    )

    expect(discard).toHaveBeenCalled()
  })
})
