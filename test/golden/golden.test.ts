import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { KeyBook } from '../../src/api/http/keys/key-book.ts'
import type { ArchivedRecord } from '../../src/ports/restorer.ts'
import { avroType, schemaText } from '../../src/events/avro.ts'
import { pipeline } from '../../src/pipeline.ts'
import { identified } from '../../src/runtime/read-inputs.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import type { Entry } from '../../src/state/entry.ts'
import { WebhookBook } from '../../src/state/settings/webhooks.ts'
import { NOT_HASHED, TABLES } from '../../src/views/hash.ts'
import { wireValues } from '../parity/wire-values.ts'
import { avroIn, isWritten, recordsIn, released, type Golden } from './files.ts'
import { keyOf, topicOf } from './keys.ts'
import { readers, rowsOf } from './readers.ts'
import { aRegistry } from './registry.ts'

const named = (all: readonly Golden[]) => all.map((one) => [`${one.topic} ${one.version}`, one] as const)
const written = released.filter(isWritten)
const codecs = new Map<Golden, RegistryCodec>()
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  for (const golden of written) {
    const registry = await aRegistry(new Map([[golden.version, golden.schema]]))
    codecs.set(golden, new RegistryCodec({ url: registry.url }))
    stops.push(registry.stop)
  }
})
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function eventOf(golden: Golden, record: ArchivedRecord): Promise<unknown> {
  const decoded = await codecs.get(golden)?.decode(topicOf(golden.topic), record.value ?? Buffer.alloc(0))
  if (decoded?.kind !== 'event') throw new Error(`${golden.topic} ${golden.version} ${record.offset} is not readable`)
  return decoded.event
}

async function inputsOf(golden: Golden): Promise<readonly Input<unknown>[]> {
  const { topic } = golden
  return Promise.all(
    recordsIn(golden).map(async (record) => {
      const place = { topic, partition: 0, offset: record.offset }
      return { event: identified(await eventOf(golden, record), place), topic, place, loggedAt: record.timestamp }
    }),
  )
}

async function entriesOf(golden: Golden): Promise<readonly Entry<unknown>[]> {
  return Promise.all(
    recordsIn(golden).map(async (record) => ({ key: record.key ?? '', value: await eventOf(golden, record) })),
  )
}

it('has a golden log of every released schema: `npx tsx test/golden/write.ts` writes what is missing', () => {
  expect(released.filter((one) => !isWritten(one)).map(({ path }) => path)).toEqual([])
})

describe('a log written in a released schema', () => {
  it.each(named(written))('%s is read by today’s codec, everything in it', async (_, golden) => {
    const then = avroType(golden.schema)
    const records = recordsIn(golden)

    expect(records.length).toBeGreaterThan(1)
    for (const record of records) {
      const event = await eventOf(golden, record)
      expect(event).toMatchObject(then.fromBuffer(avroIn(record)) as object)
      expect(avroType(schemaText(golden.topic)).isValid(event)).toBe(true)
      expect(record.key).toBe(keyOf(golden.topic, event))
    }
  })

  it.each(named(written))('%s: its schema reads what is written today', (_, { topic, schema }) => {
    const [then, now] = [avroType(schema), avroType(schemaText(topic))]
    const reading = then.createResolver(now)

    for (const value of wireValues[topic] ?? []) {
      const read: unknown = then.fromBuffer(now.toBuffer(value), reading)
      expect(then.isValid(read)).toBe(true)
      expect(value).toMatchObject(onlyKnown(read, value))
    }
  })
})

/** What of a value today's type has too: a later schema may have left a field out, and an earlier one has its default. */
function onlyKnown(read: unknown, value: unknown): object {
  const [of, known] = [read, value] as [object, object]
  return Object.fromEntries(Object.entries(of).filter(([name]) => name in known))
}

describe('views of today', () => {
  const read = new Set(pipeline.views.flatMap(({ projections }) => projections.map(({ reads }) => reads.name)))
  const tables = new Set<string>([...Object.values(TABLES).flat(), ...NOT_HASHED])

  it.each(named(written.filter(({ topic }) => read.has(topic))))('make rows of %s', async (_, golden) => {
    const rows = (await inputsOf(golden)).flatMap(rowsOf)

    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ table }) => !tables.has(table))).toEqual([])
  })
})

describe('stages of today', () => {
  const pairs = readers.flatMap((reader) => {
    const memories = written.filter(({ topic }) => topic === reader.changelog)
    const before = memories.length === 0 ? [null] : memories
    return before.map((memory) => [`${reader.name} (memory ${memory?.version ?? '-'})`, { reader, memory }] as const)
  })

  it.each(pairs)('%s goes on from what it remembered then, with every version of what it reads', async (_, pair) => {
    const { reader, memory } = pair
    const remembered = memory === null ? [] : await entriesOf(memory)
    const read = written.filter(({ topic }) => reader.reads.includes(topic))

    expect(read.length).toBeGreaterThan(0)
    for (const golden of read) {
      const inputs = await inputsOf(golden)
      expect(await reader.read(remembered, inputs)).toBe(inputs.length)
    }
  })

  it('are all of those in the pipeline', () => {
    expect([...readers.map(({ name }) => name), 'delivered'].sort()).toEqual(Object.keys(pipeline.stages).sort())
  })
})

describe('settings', () => {
  const logOf = async ({ topic, ...golden }: Golden) => {
    const log = new MemoryLog()
    const records = recordsIn({ topic, ...golden })
    await log.produce(records.map(({ key, value }) => ({ topic, key, value })))
    return log
  }

  it.each(named(written.filter(({ topic }) => topic === 'keys.changed')))('%s: keys are known', async (_, golden) => {
    const codec = codecs.get(golden)
    const book = new KeyBook()

    const strange = await book.catchUp({ log: await logOf(golden), codec: codec ?? new RegistryCodec({ url: '' }) })

    expect(strange).toEqual([])
    expect(book.all().length).toBeGreaterThan(0)
  })

  it.each(named(written.filter(({ topic }) => topic === 'webhooks.changed')))('%s: endpoints', async (_, golden) => {
    const codec = codecs.get(golden)
    const book = new WebhookBook()

    const strange = await book.catchUp({ log: await logOf(golden), codec: codec ?? new RegistryCodec({ url: '' }) })

    expect(strange).toEqual([])
    expect(book.all().length).toBeGreaterThan(0)
  })
})
