import { clockTicked, type ClockTicked } from '../../events/settings.ts'
import type { Topic } from '../../events/topic.ts'
import type { StanceModel } from '../../language/stance/stance.ts'
import type { Input } from '../../runtime/shapes.ts'
import { enriched } from '../../stages/enriched/stage.ts'
import { publicWorld, TOPICS } from './public-world.ts'

export interface EnrichedFigure {
  readonly stories: number
  readonly posts: number
  readonly records: number
  /** By CPU time of this process: deciding, evolving, emitting, and both kinds of records as Avro; ticks included. */
  readonly posts_a_second: number
  readonly cpu_ms_a_post: number
  /** JSON.parse of the same posts. */
  readonly parse_ms_a_post: number
  readonly ratio: number
  /** One tick every 5,000 posts. */
  readonly tick_ms_median: number
  readonly tick_ms_most: number
  /** Once more, when no more posts come: all that waits is emitted. */
  readonly flush_ms: number
  readonly memory_bytes_a_post: number
}

interface EnrichedBenchSize {
  readonly stories: number
  readonly posts: number
}

export interface EnrichedBenchInput {
  readonly stance: StanceModel
  readonly encode: <Event>(topic: Topic<Event>, event: Event) => Promise<Buffer>
}

/** As many as the runtime decides at once, more or less. */
const AT_ONCE = 500
/** Posts between two ticks. */
const A_TICK = 5_000

type EnrichedBenchStage = ReturnType<typeof enriched>
type EnrichedBenchIn = Parameters<EnrichedBenchStage['decide']>[1]['event']

/** Before anything is counted. */
const WARM_UP: EnrichedBenchSize = { stories: 20, posts: 2_000 }

/** The enricher alone, without the models that read posts. */
export async function benchEnriched(size: EnrichedBenchSize, given: EnrichedBenchInput): Promise<EnrichedFigure> {
  await measured(WARM_UP, given)
  return measured(size, given)
}

async function measured(size: EnrichedBenchSize, given: EnrichedBenchInput): Promise<EnrichedFigure> {
  const world = publicWorld(size)
  const { stance } = given
  const stage = enriched({ read: () => Promise.resolve([]), stance, budget: 200_000, textMs: 7 * 86_400_000 })
  const run = running(stage, given)
  await run.take(world.articles, TOPICS.articles)
  const before = run.records()
  const ticks: number[] = []
  let posts = 0
  for (let i = 0; i < world.posts.length; i += AT_ONCE) {
    const some = world.posts.slice(i, i + AT_ONCE)
    posts += await cpuOf(() => run.take(some, TOPICS.posts))
    if ((i + AT_ONCE) % A_TICK !== 0) continue
    const one = tick(some.at(-1)?.created_at ?? 0)
    ticks.push(await cpuOf(() => run.take([one], clockTicked.name)))
  }
  const [records, bytes] = [run.records() - before, run.bytes()]
  const last = { ...tick(world.posts.at(-1)?.created_at ?? 0), flush: true }
  const flush_ms = await cpuOf(() => run.take([last], clockTicked.name))
  const cpu = ticks.reduce((sum, ms) => sum + ms, posts) / size.posts
  const parse = parsing(world.posts)
  return {
    ...size,
    ...{ records, flush_ms },
    posts_a_second: 1000 / cpu,
    cpu_ms_a_post: cpu,
    parse_ms_a_post: parse,
    ratio: cpu / parse,
    tick_ms_median: ticks.toSorted((a, b) => a - b)[Math.floor(ticks.length / 2)] ?? 0,
    tick_ms_most: Math.max(0, ...ticks),
    memory_bytes_a_post: bytes / size.posts,
  }
}

/** The stage as the runtime runs it: the newest entry of each key is written with what was emitted. */
function running(stage: EnrichedBenchStage, { encode }: EnrichedBenchInput) {
  const { memory, writes } = stage
  let state = memory.empty()
  let [records, bytes] = [0, 0]
  const offsets = new Map<string, number>()
  const input = (event: EnrichedBenchIn, topic: string): Input<EnrichedBenchIn> => {
    const offset = offsets.get(topic) ?? 0
    offsets.set(topic, offset + 1)
    return { event, topic, place: { topic, partition: 0, offset }, loggedAt: 0 }
  }
  return {
    records: () => records,
    bytes: () => bytes,
    async take(events: readonly EnrichedBenchIn[], topic: string): Promise<void> {
      const entries = new Map<string, ReturnType<EnrichedBenchStage['decide']>['remember'][number]>()
      for (const event of events) {
        const decided = stage.decide(state, input(event, topic))
        for (const entry of decided.remember) {
          state = memory.evolve(state, entry)
          entries.set(entry.key, entry)
        }
        const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
        for (const record of outcome.kind === 'emit' ? outcome.events : []) {
          records += 1
          await encode(writes, record)
        }
      }
      for (const { value } of entries.values()) {
        if (value !== null) bytes += (await encode(memory.changelog, value)).length
      }
    },
  }
}

const tick = (at: number): ClockTicked => ({ event_id: `evt_${at}`, namespace: 'bench', tick_at: at, flush: false })

/** The same posts as lines of JSON: what any program has to do with them. */
function parsing(posts: readonly object[]): number {
  const lines = posts.map((post) => JSON.stringify({ ...post, read: null }))
  const started = cpuMs()
  for (const line of lines) JSON.parse(line)
  return (cpuMs() - started) / posts.length
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const started = cpuMs()
  await work()
  return cpuMs() - started
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
