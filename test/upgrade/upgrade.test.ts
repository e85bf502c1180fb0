import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { unframed } from '../../src/adapters/wire-format.ts'
import { avroType, schemaText } from '../../src/events/avro.ts'
import type { Manifest } from '../../src/operations/archive/manifest.ts'
import { verify } from '../../src/operations/archive/verify.ts'
import { pipeline } from '../../src/pipeline.ts'
import type { LogRecord } from '../../src/ports/log.ts'
import { articlesClustered, type ArticleClustered } from '../../src/events/ledger.ts'
import { storiesOf } from '../builders/clustered.ts'
import { upgradedCodec, type UpgradedCodec } from './codec.ts'
import { FOLDER, RECORDED_TOPICS } from './files.ts'
import {
  atTheBeginningOf,
  endOf,
  importedLog,
  inTheMiddleOf,
  openRecorded,
  recordsOf,
  type RecordedLog,
} from './recorded-log.ts'
import { changelogOf, runToEnd, STATEFUL, statefulDependencies, type Stateful } from './stages.ts'
import { hashesOf, type HashesByTable } from './table-hashes.ts'

const exceptIds = (field: string): boolean => field !== 'event_id' && field !== 'produced_by'
/**
 * Stages whose version was raised, and the fields of their events that an upgrade keeps. Event ids contain the version.
 * `clustered` compares an article with other stories, so it is compared by the stories at the end. `enriched` reads posts
 * with another model; here it has the readings of before. `transitioned` says "1 minute" instead of "1 minutes".
 * `changed` counts the sources of stories.
 */
const RAISED: ReadonlyMap<Stateful, (field: string) => boolean> = new Map([
  ['clustered', exceptIds],
  ['enriched', exceptIds],
  ['transitioned', exceptIds],
  ['changed', exceptIds],
])

/**
 * Stages whose changelog the version before can read but not continue from, because what it needs is in a field that it
 * does not know. The way back rebuilds their state from the log (docs/upgrading.md). Their outputs have to be equal all
 * the same.
 */
const STATE_IN_ANOTHER_FORMAT: readonly Stateful[] = ['clustered']

const DAY_MS = 86_400_000
/** Clustering the whole log takes seconds, on a busy machine many. */
const LONG_MS = 120_000

let recorded: RecordedLog
let upgraded: UpgradedCodec
const continued = new Map<Stateful, MemoryLog>()
const replayed = new Map<Stateful, MemoryLog>()

beforeAll(async () => {
  recorded = openRecorded()
  upgraded = await upgradedCodec(recorded.schemas, RECORDED_TOPICS)
})
vi.setConfig({ testTimeout: LONG_MS })
afterAll(async () => {
  await upgraded.stop()
  recorded.remove()
})

/** The log after a stage has read all that it had not. Each stage reads what the version before wrote, not the others. */
async function finished(stage: Stateful, from: Manifest, runs: Map<Stateful, MemoryLog>): Promise<MemoryLog> {
  const known = runs.get(stage)
  if (known !== undefined) return known
  const log = await importedLog(recorded, from)
  const run = { log, codec: upgraded.codec, now: () => endOf(recorded.whole) + DAY_MS }
  await runToEnd(run, [stage], statefulDependencies(recorded.read))
  runs.set(stage, log)
  return log
}

const continuedIn = (stage: Stateful) => finished(stage, inTheMiddleOf(recorded, stage), continued)
const replayedIn = (stage: Stateful) => finished(stage, atTheBeginningOf(recorded, stage), replayed)

/**
 * A record as the version before reads it: its schema resolves what today's has written. So a field that today adds is
 * left out, and nothing else is but the offset and the time, which depend on how a stage batches its writes.
 */
function asBefore({ topic, key, headers, value }: Pick<LogRecord, 'topic' | 'key' | 'headers' | 'value'>): string {
  return JSON.stringify(withHashes({ key, headers, event: value === null ? null : eventAsBefore(topic, value) }))
}

/** The same with a short hash in place of bytes, so that a difference can be read. */
function withHashes(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return createHash('sha256').update(value).digest('hex').slice(0, 12)
  if (Array.isArray(value)) return value.map(withHashes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withHashes(one)]))
}

function eventAsBefore(topic: string, value: Buffer): unknown {
  const parts = unframed(value)
  if (parts === null) throw new Error(`${topic} has a record that is not framed`)
  const { type, resolver } = readerOf(topic, parts.schemaId)
  const event: unknown = type.fromBuffer(parts.avro, resolver)
  if (!type.isValid(event)) throw new Error(`${topic} has a record that the schema of the version before refuses`)
  return event
}

const readers = new Map<string, ReturnType<typeof newReader>>()

/** The recorded schema of a topic, as a reader of what a schema has written. */
function readerOf(topic: string, schemaId: number) {
  const name = `${topic} ${schemaId}`
  const reader = readers.get(name) ?? newReader(topic, schemaId)
  readers.set(name, reader)
  return reader
}

function newReader(topic: string, schemaId: number) {
  const before = recorded.schemas.find((one) => one.topic === topic)
  if (before === undefined) throw new Error(`${topic} was not recorded`)
  const type = avroType(before.text)
  return { type, resolver: type.createResolver(avroType(schemaId === before.id ? before.text : schemaText(topic))) }
}

const asRead = (records: readonly Parameters<typeof asBefore>[0][]) => records.map(asBefore)

/** What a stage emitted, as far as an upgrade must keep it. */
function outputs(stage: Stateful, records: readonly Parameters<typeof asBefore>[0][]): readonly unknown[] {
  const isKept = RAISED.get(stage)
  if (isKept === undefined) return asRead(records)
  return asRead(records).map((text) => {
    const { key, event } = JSON.parse(text) as { readonly key: string; readonly event: object }
    return { key, ...Object.fromEntries(Object.entries(event).filter(isKeptEntry(isKept)).map(withoutCount)) }
  })
}

const isKeptEntry =
  (isKept: (field: string) => boolean) =>
  ([name]: readonly [string, unknown]): boolean =>
    isKept(name)

/** The data of a change without the count of sources, which the version before did not have. */
function withoutCount([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (name !== 'data' || typeof value !== 'string') return [name, value]
  const data = Object.entries(JSON.parse(value) as object).filter(([field]) => field !== 'origin_count')
  return [name, JSON.stringify(Object.fromEntries(data))]
}

/** The stages that emit the same. */
const UNCHANGED = STATEFUL.filter((stage) => stage !== 'clustered')

type LedgerRecord = Pick<LogRecord, 'topic' | 'value'>

/** The share of the articles that are in the same story, under its id, at the end of two ledgers. */
function sameStories(before: readonly LedgerRecord[], after: readonly LedgerRecord[]): number {
  const [old, today] = [before, after].map((records) => storiesOf(records.map(ledgerEvent)))
  const articles = [...(old ?? [])]
  return articles.filter(([article, story]) => today?.get(article) === story).length / articles.length
}

const ledgerEvent = ({ topic, value }: LedgerRecord): ArticleClustered =>
  eventAsBefore(topic, value ?? Buffer.alloc(0)) as ArticleClustered

const recordedIn = (topic: string, manifest: Manifest) =>
  recordsOf(recorded, manifest, topic).map((record) => ({ ...record, topic }))

/** The newest record of each key, as a compacted topic keeps it; a key that was deleted has none. */
function newest(records: readonly Parameters<typeof asBefore>[0][]): ReadonlyMap<string | null, string> {
  return new Map(
    [...new Map(records.map((record) => [record.key, record]))]
      .filter(([, { value }]) => value !== null)
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      .map(([key, record]) => [key, asBefore(record)]),
  )
}

/** A topic that was added since has no committed offsets. */
const wasRecorded = (topic: string): boolean => recorded.schemas.some((one) => one.topic === topic)

describe('the archive of the version before', () => {
  it('is read, and nothing is missing', () => {
    const found = verify(recorded.folder, recorded.whole, () => undefined)

    expect(found.problems).toEqual([])
    expect(found.records).toBeGreaterThan(3_000)
  })

  it('is restored with its changelogs and committed offsets', async () => {
    const log = await importedLog(recorded, recorded.middle)

    for (const stage of STATEFUL) {
      const changelog = recordedIn(changelogOf(stage), recorded.middle)
      expect(asRead(log.records(changelogOf(stage)))).toEqual(asRead(changelog))
      for (const topic of pipeline.stages[stage].reads.filter(wasRecorded)) {
        const group = recorded.middle.groups.find((one) => one.group === stage && one.topic === topic)
        expect(await log.committed(stage, topic)).toEqual(group?.offsets)
      }
    }
  })
})

describe('a stage that is upgraded in the middle', () => {
  it.each(UNCHANGED)('%s continues from its state and emits what the version before would have', async (stage) => {
    const { writes } = pipeline.stages[stage]
    const before = recordedIn(writes, recorded.middle)
    const all = recordedIn(writes, recorded.whole)

    const log = await continuedIn(stage)

    expect(all.length).toBeGreaterThan(before.length)
    expect(outputs(stage, log.records(writes))).toEqual(outputs(stage, all))
  })

  it('clustered continues from its state, and every article is in its story of the version before', async () => {
    const log = await continuedIn('clustered')

    const same = sameStories(recordedIn(articlesClustered.name, recorded.whole), log.records(articlesClustered.name))

    expect(same).toBe(1)
  })

  it.each(STATEFUL)('%s rejects nothing', async (stage) => {
    const log = await continuedIn(stage)

    const letters = pipeline.stages[stage].reads.flatMap((topic) => log.records(`${topic}.dead`))

    expect(letters).toEqual([])
  })
})

describe('a replay of the log by today’s stages', () => {
  it('clustered puts nearly all articles into the stories of the version before', async () => {
    const log = await replayedIn('clustered')

    const same = sameStories(recordedIn(articlesClustered.name, recorded.whole), log.records(articlesClustered.name))

    expect(same).toBeGreaterThan(0.98)
  })

  it.each(UNCHANGED)('%s emits the same under the same ids, without a changelog', async (stage) => {
    const { writes } = pipeline.stages[stage]

    const log = await replayedIn(stage)

    expect(outputs(stage, log.records(writes))).toEqual(outputs(stage, recordedIn(writes, recorded.whole)))
  })

  it('makes the rows that the version before made: every table has its hash', async () => {
    const expected = JSON.parse(readFileSync(join(FOLDER, 'hashes.json'), 'utf8')) as HashesByTable
    const log = await importedLog(recorded, recorded.whole)
    for (const stage of STATEFUL.filter((one) => !RAISED.has(one))) {
      const { records } = log.partition(pipeline.stages[stage].writes, 0)
      const today = (await replayedIn(stage)).records(pipeline.stages[stage].writes)
      // in place of what was recorded: the place and the time of a record are not its content
      today.forEach(({ value }, i) => Object.assign(records[i] ?? {}, { value }))
    }

    const hashes = await hashesOf({ log, codec: upgraded.codec }, expected)

    expect(hashes).toMatchObject(expected)
  })
})

describe('the way back', () => {
  it.each(STATEFUL)('the version before can read what %s writes', async (stage) => {
    const log = await continuedIn(stage)
    const written = [pipeline.stages[stage].writes, changelogOf(stage)].flatMap((topic) => log.records(topic))

    expect(() => asRead(written)).not.toThrow()
  })

  it.each(STATEFUL.filter((stage) => !STATE_IN_ANOTHER_FORMAT.includes(stage)))(
    'the version before continues from the changelog of %s',
    async (stage) => {
      const changelog = changelogOf(stage)

      const log = await continuedIn(stage)

      expect(newest(log.records(changelog))).toEqual(newest(recordedIn(changelog, recorded.whole)))
    },
  )
})
