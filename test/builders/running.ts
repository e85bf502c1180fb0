import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import { topic } from '../../src/events/topic.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Batch, Log, OutRecord } from '../../src/ports/log.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { defaultLimits, type Limits, type RuntimePorts } from '../../src/runtime/running.ts'
import type { Entry } from '../../src/state/entry.ts'
import { jsonSection, readJson, type StateSnapshot } from '../../src/state/sections.ts'
import type { MemoryStage } from '../../src/runtime/shapes.ts'

/** A small event of the tests: a word that somebody said. */
export interface RunningWord {
  readonly event_id: string
  readonly word: string
}

/** What the counting stage of the tests remembers: how often a word was said, and the last time it was. */
export interface RunningCount {
  readonly count: number
  readonly last: string
}

export const wordsSaid = topic<RunningWord>('words.said', ({ word }) => word)
export const wordRequests = topic<RunningWord>('words.asked', ({ word }) => word)
export const wordsHeard = topic<RunningWord>('words.heard', ({ word }) => word)
export const countedMemory = topic<RunningCount>('counted.memory', () => '')

const record = (name: string, fields: readonly unknown[]) => JSON.stringify({ type: 'record', name, fields })
const wordSchema = record('Word', [
  { name: 'event_id', type: 'string' },
  { name: 'word', type: 'string' },
])
const countSchema = record('Count', [
  { name: 'count', type: 'long' },
  { name: 'last', type: 'string' },
])

export const wordCodec = (): PlainCodec =>
  new PlainCodec((name) => (name.endsWith('.memory') ? countSchema : wordSchema))

/** Time passes only by waiting, and waiting takes no time. */
export function anInstantClock(): Clock & { readonly waits: readonly number[] } {
  let now = 1_700_000_000_000
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    sleep: async (ms) => {
      now += ms
      waits.push(ms)
      await setImmediate()
    },
  }
}

export interface TestRunning extends RuntimePorts {
  readonly memoryLog: MemoryLog
  readonly crashes: readonly Error[]
}

export interface RunningOverrides {
  readonly memoryLog?: MemoryLog
  readonly log?: Log
  readonly limits?: Partial<Limits>
  readonly clock?: Clock
}

/** Everything the runtime needs, in memory. */
export function aRunning({
  memoryLog = new MemoryLog(),
  log = memoryLog,
  limits = {},
  clock,
}: RunningOverrides = {}): TestRunning {
  const crashes: Error[] = []
  return {
    memoryLog,
    log,
    codec: wordCodec(),
    checkpoints: null,
    clock: clock ?? anInstantClock(),
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    limits: { ...defaultLimits, ...limits },
    crashes,
    onCrash: (cause) => crashes.push(cause),
  }
}

/** Records of `words.said`: a number stands for that many bytes that are no event. */
export async function say(log: Log, words: readonly (string | number)[], to = wordsSaid): Promise<void> {
  const codec = wordCodec()
  const records = words.map(async (word): Promise<OutRecord> =>
    typeof word === 'number'
      ? { topic: to.name, key: 'noise', value: Buffer.alloc(word, 7) }
      : { topic: to.name, key: word, value: await codec.encode(to, { event_id: `said-${word}`, word }) },
  )
  await log.produce(await Promise.all(records))
}

/** The words a topic holds, in the order of the log. */
export async function wordsIn(log: MemoryLog, of = wordsHeard): Promise<readonly RunningWord[]> {
  const codec = wordCodec()
  const decoded = await Promise.all(log.records(of.name).map(({ value }) => codec.decode(of, value ?? Buffer.alloc(0))))
  return decoded.flatMap((it) => (it.kind === 'event' ? [{ ...it.event }] : []))
}

type RunningCounts = Map<string, RunningCount>

/** A stage with memory: tells each time how often a word was said. `bang` makes it throw, `no` is refused. */
export const counted: MemoryStage<RunningCounts, RunningWord, RunningWord, RunningCount> = {
  name: 'counted',
  version: '1',
  reads: [wordsSaid, wordRequests],
  writes: wordsHeard,
  memory: {
    changelog: countedMemory,
    empty: () => new Map(),
    evolve: (state, { key, value }: Entry<RunningCount>) => {
      if (value === null) state.delete(key)
      else state.set(key, value)
      return state
    },
  },
  decide: (state, { event, place }) => {
    if (event.word === 'bang') throw new TypeError('bang')
    if (event.word === 'no') return { kind: 'reject', reason: 'word_is_no', remember: [] }
    const id = `${place.topic}:${place.offset}`
    const known = state.get(event.word)
    if (known?.last === id) return { kind: 'skip', reason: 'known', remember: [] }
    if (event.word === 'forget')
      return { kind: 'skip', reason: 'forgotten', remember: [...state.keys()].map((key) => ({ key, value: null })) }
    const value = { count: (known?.count ?? 0) + 1, last: id }
    return {
      kind: 'deferred',
      remember: [{ key: event.word, value }],
      outcome: (after) => ({
        kind: 'emit',
        events: [{ event_id: `counted-${id}`, word: `${event.word} ${after.get(event.word)?.count ?? 0}` }],
      }),
    }
  },
}

/** The same stage, with states that are saved: a section per word. */
export const countedSaved: typeof counted = {
  ...counted,
  memory: { ...counted.memory, snapshot: savedWords('1') },
}

export function savedWords(format: string): StateSnapshot<Map<string, RunningCount>> {
  return {
    format,
    *write(state) {
      yield jsonSection(state.size)
      for (const entry of state) yield jsonSection(entry)
    },
    async read(sections) {
      const state = new Map<string, RunningCount>()
      const words = await readJson<number>(sections)
      while (state.size < words) state.set(...(await readJson<[string, RunningCount]>(sections)))
      return state
    },
  }
}

/** The same without knowing a repeat when it sees one: that everything is told once is the runtime's doing alone. */
export const trusting: typeof counted = {
  ...counted,
  decide: (state, input) => counted.decide(new Map([...state].map(([word, it]) => [word, { ...it, last: '' }])), input),
}

/** The same stage under names of its own, for a log that others use too. */
export const countedAs = (name: string): typeof counted => ({
  ...counted,
  name,
  reads: [{ ...wordsSaid, name: `${name}.said` }],
  writes: { ...wordsHeard, name: `${name}.heard` },
  memory: { ...counted.memory, changelog: { ...countedMemory, name: `${name}.memory` } },
})

/** Where a process is killed: the calls that change the log, counted from the moment the log was made. */
export interface Death {
  readonly call: 'produce' | 'write' | 'commit'
  /** From 1. */
  readonly nth: number
  readonly when: 'before' | 'after'
}

/** A log as a process sees it that dies at one of its calls: from there on nothing it asks is ever answered. */
export function aDyingLog(log: Log, death: Death): { readonly log: Log; readonly died: Promise<void> } {
  let dead = false
  let calls = 0
  let die: () => void = () => undefined
  const died = new Promise<void>((resolve) => {
    die = resolve
  })
  const silence = async () => {
    dead = true
    die()
    await new Promise<never>(() => undefined)
  }
  const through = async <Of>(call: Death['call'], does: () => Promise<Of>): Promise<Of> => {
    if (dead) await silence()
    const now = call === death.call && ++calls === death.nth
    if (now && death.when === 'before') await silence()
    const done = await does()
    if (now) await silence()
    return done
  }
  const mortal = (batch: Batch): Batch => ({
    ...batch,
    commit: async (next, note) => {
      // a note of what is in hand is not the commit a step waits for
      if (note === undefined) await through('commit', () => batch.commit(next))
      else await batch.commit(next, note)
    },
  })
  return {
    died,
    log: {
      produce: async (records) => (records.length > 0 ? through('produce', () => log.produce(records)) : 0),
      consume: (subscription, handle) => log.consume(subscription, (batch) => handle(mortal(batch))),
      writer: async (id) => {
        const writer = await log.writer(id)
        return {
          ...writer,
          write: (records, read) => through('write', () => writer.write(records, read)),
        }
      },
      read: (name, partition, from) => log.read(name, partition, from),
      starts: (name) => log.starts(name),
      ends: (name) => log.ends(name),
      since: (name, time) => log.since(name, time),
      forget: (group) => log.forget(group),
      committed: (group, name) => log.committed(group, name),
      partitionOf: (key, partitions) => log.partitionOf(key, partitions),
      incarnation: (name, partition) => log.incarnation(name, partition),
      epochEnd: (name, partition, epoch) => log.epochEnd(name, partition, epoch),
      notes: (group, name) => log.notes(group, name),
      close: () => log.close(),
    },
  }
}
