import { PlainCodec } from '../../adapters/plain-codec.ts'
import { readStanceModel } from '../../adapters/model-files.ts'
import { ms, type BenchResult, type BenchPart, type BenchSetting } from '../part.ts'
import { discoursePosts } from '../../events/discourse.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { clockTicked, type ClockTicked } from '../../events/settings.ts'
import type { StanceModel } from '../../language/stance/stance.ts'
import type { Input } from '../../runtime/shapes.ts'
import { enriched as enrichedStage } from '../../stages/enriched/stage.ts'
import { ownCpuMs } from '../processes.ts'
import { median } from '../rounds.ts'
import { publicWorld, type PublicWorldSize } from './public-world.ts'

/**
 * A realistic world, in which a few stories have thousands of posts and most some dozens; and the worst case, in which
 * all posts belong to one story.
 */
const WORLDS = [
  { stories: 200, posts: 30_000 },
  { stories: 1, posts: 5_000 },
] as const

export const enriched: BenchPart = {
  about: 'the enricher without its models: posts per second on one core, compared with JSON.parse; scheduler ticks',
  alone: measure,
}

/** The enricher alone, without the models that read posts. */
async function measure({ wiring }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // the models would compete for the cores
  const stance = readStanceModel()
  const figures: EnrichedFigure[] = []
  for (const world of WORLDS) {
    wiring.out.progress(`${world.posts.toLocaleString('en')} posts on ${world.stories} stories ...`)
    await measured(WARM_UP, stance)
    figures.push(await measured(world, stance))
  }
  return { figures, lines: figures.flatMap(table) }
}

/** About as many as the runtime decides in one batch. */
const BATCH_SIZE = 500
/** Posts between two scheduler ticks. */
const POSTS_PER_TICK = 5_000

type EnrichedStage = ReturnType<typeof enrichedStage>
type EnrichedInput = Parameters<EnrichedStage['decide']>[1]['event']

type EnrichedFigure = Awaited<ReturnType<typeof measured>>

/** Runs before the measurement. */
const WARM_UP = { stories: 20, posts: 2_000 }

async function measured(size: PublicWorldSize, stance: StanceModel) {
  const world = publicWorld(size)
  const read = () => Promise.resolve([])
  const run = running(enrichedStage({ read, stance, budget: 200_000, textMs: 7 * 86_400_000 }))
  await run.take(world.articles, articlesClustered.name)
  const before = run.records()
  const ticks: number[] = []
  let posts = 0
  for (let i = 0; i < world.posts.length; i += BATCH_SIZE) {
    const some = world.posts.slice(i, i + BATCH_SIZE)
    posts += await cpuOf(() => run.take(some, discoursePosts.name))
    if ((i + BATCH_SIZE) % POSTS_PER_TICK !== 0) continue
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
    records,
    /**
     * By CPU time of this process: deciding, evolving, emitting, and encoding events and state updates as Avro.
     * Includes ticks.
     */
    posts_a_second: 1000 / cpu,
    cpu_ms_a_post: cpu,
    /** `JSON.parse` of the same posts. */
    parse_ms_a_post: parse,
    ratio: cpu / parse,
    /** One tick every 5,000 posts. */
    tick_ms_median: median(ticks),
    tick_ms_most: Math.max(0, ...ticks),
    /** A final tick with `flush`, which emits everything that is pending. */
    flush_ms,
    memory_bytes_a_post: bytes / size.posts,
  }
}

/**
 * Runs the stage like the runtime: the newest state update of each key in a batch is written together with the emitted
 * events.
 */
function running(stage: EnrichedStage) {
  const { memory, writes } = stage
  const codec = new PlainCodec()
  let state = memory.empty()
  let [records, bytes] = [0, 0]
  const offsets = new Map<string, number>()
  const input = (event: EnrichedInput, topic: string): Input<EnrichedInput> => {
    const offset = offsets.get(topic) ?? 0
    offsets.set(topic, offset + 1)
    return { event, topic, place: { topic, partition: 0, offset }, loggedAt: 0 }
  }
  return {
    records: () => records,
    bytes: () => bytes,
    async take(events: readonly EnrichedInput[], topic: string): Promise<void> {
      const entries = new Map<string, ReturnType<EnrichedStage['decide']>['remember'][number]>()
      for (const event of events) {
        const decided = stage.decide(state, input(event, topic))
        for (const entry of decided.remember) {
          state = memory.evolve(state, entry)
          entries.set(entry.key, entry)
        }
        const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
        for (const record of outcome.kind === 'emit' ? outcome.events : []) {
          records += 1
          await codec.encode(writes, record)
        }
      }
      for (const { value } of entries.values()) {
        if (value !== null) bytes += (await codec.encode(memory.changelog, value)).length
      }
    },
  }
}

const tick = (at: number): ClockTicked => ({ event_id: `evt_${at}`, namespace: 'bench', tick_at: at, flush: false })

/** Parses the same posts as JSON lines, which any program has to do. */
function parsing(posts: readonly object[]): number {
  const lines = posts.map((post) => JSON.stringify({ ...post, read: null }))
  const started = ownCpuMs()
  for (const line of lines) JSON.parse(line)
  return (ownCpuMs() - started) / posts.length
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const started = ownCpuMs()
  await work()
  return ownCpuMs() - started
}

const table = (f: EnrichedFigure): readonly string[] => [
  `  ${f.posts.toLocaleString('en')} posts on ${f.stories} ${f.stories === 1 ? 'story' : 'stories'}, ${f.records.toLocaleString('en')} records emitted`,
  `    posts a second          ${f.posts_a_second.toFixed(0).padStart(9)}   on one core, by CPU time, ticks included`,
  `    CPU ms a post           ${ms(f.cpu_ms_a_post)}   ${f.ratio.toFixed(0)} times JSON.parse of it`,
  `    a tick each 5,000       ${ms(f.tick_ms_median)} ms, at most ${f.tick_ms_most.toFixed(0)}; the last, a flush, ${f.flush_ms.toFixed(0)}`,
  `    memory entries          ${(f.memory_bytes_a_post / 1024).toFixed(2).padStart(9)} KB a post written`,
]
