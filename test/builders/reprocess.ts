import { besideName } from '../../src/adapters/beside-log.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { clusteringModel } from '../../src/adapters/model-files.ts'
import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import type { RunBesidePorts } from '../../src/operations/reprocess/run-beside.ts'
import type { ArticleAnalyzed } from '../../src/events/articles.ts'
import { articlesAnalyzed } from '../../src/events/articles.ts'
import { articlesClustered, type ArticleClustered } from '../../src/events/ledger.ts'
import { clockTicked, correctionsRequested, type CorrectionRequested } from '../../src/events/settings.ts'
import type { Topic } from '../../src/events/topic.ts'
import type { RuntimePorts } from '../../src/runtime/running.ts'
import { runMemoryStage } from '../../src/runtime/run-memory-stage.ts'
import { clusteredAssignments } from '../../src/stages/clustered/assignments.ts'
import { clusteredMemory } from '../../src/stages/clustered/changelog.ts'
import { clustered, type ClusteredDependencies } from '../../src/stages/clustered/stage.ts'
import type { StageDependencies } from '../../src/pipeline.ts'
import { A_DAY } from './articles.ts'
import { madeUpReport } from './clustered.ts'
import { aRunning } from './running.ts'

/** A log in memory with the clusterer of today at work on it. */
export interface Newsroom {
  readonly memoryLog: MemoryLog
  readonly codec: PlainCodec
  publish<Event>(topic: Topic<Event>, events: readonly Event[]): Promise<void>
  /** Runs the clusterer as it is until it has read everything. */
  cluster(): Promise<void>
  /** Until the clusterer, wherever it runs, has read everything. */
  untilRead(): Promise<void>
  /** A ledger, in order. */
  ledger(topic?: string): Promise<readonly ArticleClustered[]>
}

/** So much stricter that stories of one event of `someNews` split. */
export const MUCH_STRICTER = 7

/** Join and rebuild thresholds moved by so much: another version of the clusterer. */
export const strictBy = (more: number, budget = 1_000): ClusteredDependencies => {
  const model = clusteringModel()
  const { join, rebuild } = model.weights
  return {
    ...model,
    weights: {
      ...model.weights,
      join: { ...join, threshold: join.threshold + more },
      rebuild: { ...rebuild, threshold: rebuild.threshold + more },
    },
    budget,
    texts: budget,
  }
}

export function aNewsroom(memoryLog = new MemoryLog({ now: () => A_DAY + 86_400_000 }), budget = 1_000): Newsroom {
  const codec = new PlainCodec()
  return {
    memoryLog,
    codec,
    publish: async (topic, events) => {
      const records = events.map(async (event) => ({
        topic: topic.name,
        key: topic.key(event),
        value: await codec.encode(topic, event),
      }))
      await memoryLog.produce(await Promise.all(records))
    },
    cluster: async () => {
      const consumer = await runMemoryStage(clustered(strictBy(0, budget)), liveOn({ memoryLog, codec }))
      await untilRead(memoryLog)
      await consumer.stop()
    },
    untilRead: () => untilRead(memoryLog),
    ledger: async (topic = articlesClustered.name) => {
      const lines = memoryLog.records(topic).map(async ({ value }) => {
        const decoded = await codec.decode(articlesClustered, value ?? Buffer.alloc(0))
        if (decoded.kind !== 'event') throw new Error('the ledger holds what is no line')
        return decoded.event
      })
      return Promise.all(lines)
    },
  }
}

/** What the clusterer of today runs on. */
export const liveOn = ({ memoryLog, codec }: Pick<Newsroom, 'memoryLog' | 'codec'>): RuntimePorts => ({
  ...aRunning({ memoryLog }),
  codec,
})

/** Article to story as memory and table have it, which a restarted clusterer would begin with. */
export async function remembered({ memoryLog, codec }: Newsroom): Promise<ReadonlyMap<string, string>> {
  const stories = new Map<string, string>()
  for (const { value } of memoryLog.records(clusteredAssignments.name)) {
    const row = await codec.decode(clusteredAssignments, value ?? Buffer.alloc(0))
    if (row.kind === 'event') stories.set(row.event.article_id, row.event.cluster_id)
  }
  const newest = new Map(memoryLog.records(clusteredMemory.name).map(({ key, value }) => [key, value]))
  for (const value of newest.values()) {
    const entry = await codec.decode(clusteredMemory, value ?? Buffer.alloc(0))
    if (entry.kind === 'event' && entry.event.rebuilt === null) {
      stories.set(entry.event.article_id, entry.event.cluster_id)
    }
  }
  return stories
}

const INPUTS = [articlesAnalyzed.name, clockTicked.name, correctionsRequested.name]

async function untilRead(log: MemoryLog): Promise<void> {
  for (const topic of INPUTS) {
    const [end = 0] = await log.ends(topic)
    while (((await log.committed('clustered', topic))[0] ?? 0) < end) {
      await log.changed(() => (log.commitOf('clustered', topic, 0)?.offset ?? 0) >= end)
    }
  }
}

/** Ports of a reprocessing with another clusterer. */
export const portsOf = (room: Newsroom, next: ClusteredDependencies): RunBesidePorts =>
  portsWith(room, { clustered: async () => next } as unknown as StageDependencies)

/** Ports of a reprocessing; topics come into being when they are named, and hold nothing once they were dropped. */
export const portsWith = (
  { memoryLog, codec }: Pick<Newsroom, 'memoryLog' | 'codec'>,
  dependencies: StageDependencies,
): RunBesidePorts => {
  const { clock, logger, metrics, limits } = aRunning({ memoryLog })
  return {
    log: memoryLog,
    codec,
    clock,
    topics: {
      make: async () => undefined,
      there: (topics) => Promise.resolve(topics.map(besideName)),
      isAtWork: async () => false,
      drop: async (topics) => {
        for (const topic of topics) memoryLog.partition(besideName(topic), 0).records.splice(0)
        return topics.length
      },
    },
    dependencies,
    running: { clock, logger, metrics, limits, checkpoints: null },
    progress: { update: () => undefined, print: () => undefined, end: () => undefined },
  }
}

/** Ports of a reprocessing beside a stage that runs, on a log without a newsroom. */
export const portsBeside = (memoryLog: MemoryLog, dependencies: Partial<StageDependencies>): RunBesidePorts => ({
  ...portsWith({ memoryLog, codec: new PlainCodec() }, dependencies as StageDependencies),
  clock: systemClock,
})

/** News of some days: `events` of them, told by `outlets`; each article analysed. */
export const someNews = (events: number, outlets: number): ArticleAnalyzed[] =>
  Array.from({ length: events * outlets }, (_, i) =>
    madeUpReport({ event: i % events, outlet: Math.floor(i / events), day: i % 3 }),
  )

export const aFlushTick = (n: number) => ({
  event_id: `tick_${n}`,
  namespace: 'shared',
  tick_at: A_DAY + n,
  flush: true,
})

export const aWord = (over: Partial<CorrectionRequested>): CorrectionRequested => ({
  event_id: 'evt_word',
  namespace: 'shared',
  occurred_at: A_DAY,
  correction_id: 'cor_word',
  action: 'move',
  cluster_id: '',
  other_cluster_id: null,
  article_ids: [],
  reason: null,
  key_id: 'key_a',
  ...over,
})
