import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { readCredibility, readGenreModel } from '../../src/adapters/model-files.ts'
import { loadConfig } from '../../src/config/config.ts'
import { articlesAnalyzed, articlesScored } from '../../src/events/articles.ts'
import { articlesClustered, type ArticleClustered } from '../../src/events/ledger.ts'
import { correctionsRequested, type CorrectionRequested } from '../../src/events/settings.ts'
import type { Topic } from '../../src/events/topic.ts'
import { bf16, f32, vectors, type Vector } from '../../src/events/vector.ts'
import { exportTo } from '../../src/operations/archive/export.ts'
import { archiveIn, type ArchiveFolder } from '../../src/operations/archive/folder.ts'
import type { Manifest } from '../../src/operations/archive/manifest.ts'
import { groupsOf } from '../../src/operations/archive/topics.ts'
import { startStage, type StageDependencies } from '../../src/pipeline.ts'
import type { Codec } from '../../src/ports/log.ts'
import type { ReadText } from '../../src/stages/enriched/observed-posts.ts'
import { connect } from '../../src/wiring/connect.ts'
import { stageDependencies } from '../../src/wiring/stages.ts'
import { storiesOf } from '../builders/clustered.ts'
import { aTokenReading } from '../builders/tokens.ts'
import { uncompressed, writePacked } from './archive-file.ts'
import { upgradedCodec } from './codec.ts'
import { FOLDER, RECORDED_TOPICS } from './files.ts'
import { FIRST_DAY, recordedInputs } from './inputs.ts'
import { readingText } from './post-readings.ts'
import { memoryRuntime, STATEFUL, statefulDependencies, untilIdle } from './stages.ts'
import { hashesOf } from './table-hashes.ts'

/*
 * Records the log, the changelogs and the committed offsets of the code as it is: `npx tsx test/upgrade/record.ts`.
 * It needs the models. README.md says when to run it.
 */

const ALL = ['scored', 'analyzed', ...STATEFUL] as const
const DAY_MS = 86_400_000

const config = loadConfig({ LOG_LEVEL: 'error' })
const wiring = connect(config, {})
const models = stageDependencies(wiring)
const schemas = await upgradedCodec([], RECORDED_TOPICS)
const readings = new Map<string, ReadText>()

let time = FIRST_DAY
const log = new MemoryLog({ now: () => ++time })
const codec: Codec = {
  decode: (topic, value) => schemas.codec.decode(topic, value),
  encode: (topic, event) => schemas.codec.encode(topic, smaller(topic, event)),
}

/** Vectors of a third of the size. Those of sentences and tokens are left out, since only views read them. */
function smaller<Event>(topic: Topic<Event>, event: Event): Event {
  if (topic.name !== articlesScored.name && topic.name !== articlesAnalyzed.name) return event
  const fields = Object.entries(event as object).map(([name, value]): [string, unknown] => {
    if (name === 'sentence_vectors' || name === 'token_vectors') return [name, { ...value, data: Buffer.alloc(0) }]
    return [name, isVector(value) ? rounded(value) : value]
  })
  return Object.fromEntries(fields) as Event
}

const isVector = (value: unknown): value is Vector => typeof value === 'object' && value !== null && 'dtype' in value

/** The vector with components that have two bytes of four. */
function rounded(vector: Vector): Vector {
  const [values] = vectors(bf16(vector.model, vector.dim, vectors(vector)))
  if (values === undefined) throw new Error('an event has an empty vector')
  return f32(vector.model, values)
}

/** Keeps what the models said about each post, so that the test needs no models. */
async function read(texts: readonly string[]): Promise<readonly ReadText[]> {
  const made = await (await models.enriched()).read(texts)
  const kept = made.map((one) => ({ ...one, vector: rounded(one.vector) }))
  for (const [i, one] of kept.entries()) readings.set(texts[i] ?? '', one)
  return kept
}

const dependencies: StageDependencies = {
  ...models,
  scored: async () => ({
    encoder: await wiring.encoder(),
    crossEncoder: null,
    credibility: readCredibility(),
    genres: readGenreModel(),
    tokens: aTokenReading(),
    gate: 0.3,
  }),
  ...statefulDependencies(read),
}

async function produce<Event>(topic: Topic<Event>, event: Event): Promise<void> {
  await log.produce([{ topic: topic.name, key: topic.key(event), value: await codec.encode(topic, event) }])
}

async function ledger(): Promise<readonly ArticleClustered[]> {
  const records = log.records(articlesClustered.name)
  const decoded = await Promise.all(
    records.map(({ value }) => codec.decode(articlesClustered, value ?? Buffer.alloc(0))),
  )
  return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
}

/** The stories of the shared namespace, largest first, with their articles. */
async function stories(): Promise<readonly [string, readonly string[]][]> {
  const events = (await ledger()).filter(({ namespace }) => namespace === 'shared')
  const members = new Map<string, string[]>()
  for (const [article, story] of storiesOf(events)) members.set(story, [...(members.get(story) ?? []), article])
  return [...members].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
}

const asCorrection = (over: Pick<CorrectionRequested, 'correction_id' | 'action' | 'cluster_id'>, number: number) => ({
  event_id: `evt_correction_${number}`,
  namespace: 'shared',
  occurred_at: time,
  other_cluster_id: null,
  article_ids: [],
  reason: 'A curator corrects a story',
  key_id: 'key_curator',
  ...over,
})

/** A curator corrects what there is, once a day. */
async function correct(day: number): Promise<void> {
  const [[first, own] = ['', []], [second] = ['', []], [third, others] = ['', []]] = await stories()
  const about = { correction_id: `evt_correction_${day}`, cluster_id: first }
  const requests: Readonly<Record<number, CorrectionRequested>> = {
    1: { ...asCorrection({ ...about, action: 'merge' }, day), other_cluster_id: third, article_ids: others },
    2: { ...asCorrection({ ...about, action: 'keep_apart' }, day), other_cluster_id: second },
    3: { ...asCorrection({ ...about, action: 'split' }, day), article_ids: own.slice(-1) },
    4: { ...asCorrection({ ...about, action: 'undo', correction_id: 'evt_correction_1' }, day) },
    5: { ...asCorrection({ ...about, action: 'move' }, day), other_cluster_id: second, article_ids: own.slice(0, 1) },
  }
  const request = requests[day]
  if (request !== undefined) await produce(correctionsRequested, request)
}

async function exportAll(folder: ArchiveFolder, before: Manifest): Promise<Manifest> {
  const topics = RECORDED_TOPICS.filter((topic) => log.records(topic).length > 0)
  const range = topics.map((topic) => {
    const from = before.files.filter((file) => file.topic === topic).at(-1)?.to ?? 0
    return { topic, partition: 0, from, to: log.partition(topic, 0).end }
  })
  const ports = { log, folder, schemaText: async (id: number) => schemas.textOf(id), onDone: () => undefined }
  return exportTo(ports, before, {
    topics: topics.map((topic) => ({ topic, partitions: 1 })),
    range,
    groups: await groupsOf(log, RECORDED_TOPICS),
  })
}

const { ports, crash } = memoryRuntime({ log, codec, now: () => time + DAY_MS })
for (const name of ALL) await startStage(name, dependencies, ports)

const inputs = recordedInputs()
const middle = Math.ceil((inputs.length * 2) / 3)
const dir = mkdtempSync(join(tmpdir(), 'recorded-log-'))
const { folder, manifest: empty } = archiveIn(dir)
let begun = empty
let day = 0
for (const [i, { at, topic, event }] of inputs.entries()) {
  if (i % 50 === 0) console.error(`${i} of ${inputs.length} inputs`)
  if (i === middle) begun = await exportAll(folder, empty)
  time = Math.max(time, at)
  await produce(topic, event as never)
  await untilIdle(log, ALL, crash)
  const today = Math.floor((at - FIRST_DAY) / DAY_MS)
  if (today === day) continue
  day = today
  await correct(day)
  await untilIdle(log, ALL, crash)
}
const whole = await exportAll(folder, begun)

mkdirSync(FOLDER, { recursive: true })
const plain = uncompressed(folder, whole)
const began = uncompressed(folder, begun)
const files = new Map(plain.files)
files.set('middle.json', began.files.get('manifest.json') ?? Buffer.alloc(0))
files.set('post-readings.json', readingText(readings))
writePacked(join(FOLDER, 'log.br'), files)
writeFileSync(join(FOLDER, 'hashes.json'), `${JSON.stringify(await hashesOf({ log, codec }), null, 2)}\n`)
rmSync(dir, { recursive: true })

for (const { topic } of whole.topics) {
  console.log(topic, began.manifest.files.find((file) => file.topic === topic)?.records ?? 0, log.records(topic).length)
}
await log.close()
await schemas.stop()
await wiring.close()
