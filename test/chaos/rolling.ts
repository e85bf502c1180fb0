import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { clusteringModel } from '../../src/adapters/model-files.ts'
import { loadConfig } from '../../src/config/config.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { fetchEngines } from '../../src/engines/fetch.ts'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { kafkaEngine } from '../../src/engines/kafka.ts'
import { supervise } from '../../src/engines/supervise.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../src/events/articles.ts'
import { articlesClustered } from '../../src/events/ledger.ts'
import { withBoundTimes, type Topic } from '../../src/events/topic.ts'
import type { LogRecord } from '../../src/ports/log.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import { clusteredAssignments } from '../../src/stages/clustered/assignments.ts'
import { clusteredMemory } from '../../src/stages/clustered/changelog.ts'
import { clustered } from '../../src/stages/clustered/stage.ts'
import { live, madeUpReport } from '../builders/clustered.ts'
import { codec } from '../builders/plain-log.ts'
import { createTopics } from '../guarantees/own-kafka.ts'
import { percentile } from './recovery.ts'

/**
 * Rolling restarts of two processes of the clusterer under constant input. The ledger must equal that of a run without
 * restarts, and each restart must not stop the stage for long.
 */
const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '20' },
    'per-second': { type: 'string', default: '20' },
  },
})
const [restarts, perSecond] = [Number(values.restarts), Number(values['per-second'])]
const [PARTITIONS, NAMESPACES, BUDGET] = [6, 24, 60]
const directory = mkdtempSync(join(tmpdir(), 'story-rolling-'))
const { kafkaJars } = await fetchEngines(loadConfig(process.env).cache, () => undefined)
const port = await anyFreePort()
const engine = kafkaEngine({ directory, log: join(directory, 'kafka.log'), jars: kafkaJars, port })
const kafka = await supervise(engine, (line) => console.error(line))
const broker = `127.0.0.1:${port}`
const stage = clustered({ ...clusteringModel(), budget: BUDGET, texts: BUDGET })
const topics = [...stage.reads, articlesClustered, clusteredMemory, clusteredAssignments].map(({ name }) => name)
await createTopics([broker], topics, PARTITIONS)
const log = new KafkaLog({ brokers: [broker], clientId: 'rolling' })
const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin()
await admin.connect()

const start = (place: number): ChildProcess => {
  const script = projectPath('test/chaos/clustering-process.ts')
  const words = [broker, join(directory, `state-${place}`), `${BUDGET}`]
  return spawn(process.execPath, ['--import', 'tsx', script, ...words], { stdio: 'inherit' })
}
const settled = async (): Promise<void> => {
  for (;;) {
    const { groups } = await admin.describeGroups(['clustered'])
    if (groups[0]?.state === 'Stable' && groups[0].members.length === 2) return
    await sleep(50)
  }
}
const lag = async (): Promise<number> => {
  const [ends, next] = await Promise.all([
    log.ends(articlesAnalyzed.name),
    log.committed('clustered', articlesAnalyzed.name),
  ])
  return ends.reduce((sum, end, partition) => sum + end - (next[partition] ?? 0), 0)
}
const caughtUp = async (most: number): Promise<void> => {
  while ((await lag()) > most) await sleep(20)
}

/** A fifth are revisions of earlier articles, most of which are no longer in memory. */
function article(i: number): ArticleAnalyzed {
  const about = i % 5 === 4 ? Math.floor(i / 2) : i
  const report = madeUpReport({ event: about % 40, outlet: about, day: about / 500 })
  const namespace = `tenant${about % NAMESPACES}`
  const revision = i === about ? '' : ` Updated ${i}.`
  return { ...report, namespace, event_id: `evt_${i}`, content_hash: `${i}`, text: report.text + revision }
}

const over = new AbortController()
let written = 0
const began = performance.now()
const writing = (async () => {
  while (!over.signal.aborted) {
    const event = article(written++)
    const value = await codec.encode(articlesAnalyzed, event)
    await log.produce([{ topic: articlesAnalyzed.name, key: articlesAnalyzed.key(event), value }])
    await sleep(Math.max(0, began + (written * 1000) / perSecond - performance.now()))
  }
})()
const line = [start(0), start(1)]
await settled()
await caughtUp(perSecond)

const times: number[] = []
for (let n = 0; n < restarts; n++) {
  const place = n % 2
  const exit = once(line[place] ?? process, 'exit')
  const at = performance.now()
  line[place]?.kill('SIGTERM')
  const [code] = (await exit) as [number | null]
  if (code !== 0) console.error(`restart ${n}: exit code ${code}`)
  line[place] = start(place)
  await settled()
  await caughtUp(perSecond)
  times.push(Math.round(performance.now() - at))
  console.error(`${n + 1}: caught up ${times.at(-1)} ms after the stop`)
}
over.abort()
await writing
await caughtUp(0)
for (const child of line) child.kill('SIGTERM')
await Promise.all(line.map((child) => once(child, 'exit')))

let events = 0
const different: number[] = []
for (let partition = 0; partition < PARTITIONS; partition++) {
  const inputs = await read(articlesAnalyzed, partition)
  const found = (await read(articlesClustered, partition)).map(({ event }) => event)
  const expected = live(stage, inputs).events
  events += expected.length
  if (!isDeepStrictEqual(plain(found), plain(expected))) different.push(partition)
}

async function read<Event>(topic: Topic<Event>, partition: number): Promise<readonly Input<Event>[]> {
  const inputs: Input<Event>[] = []
  for await (const records of log.read(topic.name, partition, 0)) {
    for (const record of records) inputs.push(await inputOf(topic, record))
  }
  return inputs
}

async function inputOf<Event>(topic: Topic<Event>, { offset, partition, value, loggedAt }: LogRecord) {
  const decoded = await codec.decode(topic, value ?? Buffer.alloc(0))
  if (decoded.kind !== 'event') throw new Error(decoded.reason)
  const event = withBoundTimes(topic, decoded.event, loggedAt)
  return { event, topic: topic.name, place: { topic: topic.name, partition, offset }, loggedAt }
}

/** Buffers and typed arrays of equal content are equal. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

await admin.disconnect()
await log.close()
await kafka.stop()
rmSync(directory, { recursive: true, force: true })
const figures = { p50_ms: percentile(times, 0.5), most_ms: Math.max(...times) }
console.log(JSON.stringify({ restarts, articles: written, events, partitions_that_differ: different, ...figures }))
process.exitCode = different.length === 0 ? 0 : 1
