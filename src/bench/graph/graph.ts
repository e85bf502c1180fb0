import { z } from 'zod'
import { createKey, publishKey } from '../../operations/keys/create-key.ts'
import { withWiringOf, type OwnService } from '../own-service.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { BenchResult, BenchPart, BenchSetting } from '../part.ts'
import { joinAll, type StoryPair } from '../../domain/graph/join.ts'
import { keptGraph } from '../../domain/graph/kept-graph.ts'
import { GRAPH } from '../../domain/graph/rules.ts'
import type { GraphStory } from '../../domain/graph/story.ts'
import type { Store } from '../../ports/store.ts'
import { timed } from '../rounds.ts'
import { fillStories } from './fill.ts'
import { joinInSql, type PairOfNumbers } from './sql-join.ts'
import { zipfSets, zipfStories } from './zipf-stories.ts'

const STORIES = [8_000, 100_000] as const

export const graph: BenchPart = {
  about: `the graph over ${STORIES.map((count) => count.toLocaleString('en')).join(' and ')} stories, compared with a self-join in SQL; full build; one change (minutes)`,
  inService: measure,
}

function measure({ wiring: { out } }: BenchSetting, service: OwnService): Promise<BenchResult> {
  return withWiringOf(service, async (own) => {
    const figures: GraphFigure[] = []
    for (const stories of STORIES) {
      const namespace = `bench-graph-${stories}`
      const key = await keyFor(namespace, own)
      figures.push(
        await benchGraph({
          ...{ store: await own.store(), stories, namespace },
          build: () => build(service.url, key),
          onProgress: (line) => out.progress(line),
        }),
      )
    }
    return { figures, lines: figures.flatMap(table) }
  })
}

/**
 * Creates a key and waits until it is known everywhere, which takes some seconds. Before, a build would fail with 401.
 */
async function keyFor(namespace: string, own: Wiring): Promise<string> {
  const { key, event } = createKey(
    { tier: 'enterprise', privateNamespace: namespace, scopes: ['read', 'write'], name: 'bench', expires_at: null },
    own.clock.now(),
  )
  await publishKey(event, { log: await own.log(), codec: await own.codec() })
  await own.clock.sleep(KEYS_KNOWN_MS)
  return key
}

const KEYS_KNOWN_MS = 5_000

const Built = z.object({ status: z.literal('complete'), stats: z.object({ relationships_created: z.int() }) })

/** Builds the whole graph of the namespace of a key. Returns the number of relationships. */
async function build(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/layer3/v1/graph/build`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  })
  const { stats } = Built.parse(await answer.json())
  return stats.relationships_created
}

interface GraphBenchOptions {
  /** A running store with the migrations applied. */
  readonly store: Store
  readonly stories: number
  /** The namespace whose tables are filled. Nothing else uses it. */
  readonly namespace: string
  readonly build: () => Promise<number>
  readonly onProgress: (line: string) => void
}

const ROUNDS = 5
const CHANGES = 500

type GraphFigure = Awaited<ReturnType<typeof benchGraph>>

async function benchGraph(options: GraphBenchOptions) {
  const { store, namespace, onProgress } = options
  const sets = zipfSets(options.stories)
  const stories = zipfStories(sets, GRAPH)

  onProgress(`${options.stories.toLocaleString('en')} stories: the join ...`)
  const { pairs, join_ms } = timedJoin(stories)
  const changes = timedChanges(stories)

  onProgress('written where the service finds them, built twice ...')
  const articles = await fillStories(store, namespace, sets)
  const [first, again] = [await timed(options.build), await timed(options.build)]

  onProgress('the same join in SQL (minutes for 100,000 stories) ...')
  const inSql = await joinInSql(store, sets, GRAPH)
  return {
    stories: stories.length,
    articles,
    entities_a_story: sets.reduce((sum, set) => sum + set.length, 0) / sets.length,
    /** The share of the stories that mention the most frequent entity. */
    hottest: hottest(sets),
    pairs: pairs.length,
    /** The join alone, from stories in memory to pairs: the shortest of several rounds. */
    join_ms,
    /** The same pairs from a self-join in SQL. */
    sql_seconds: inSql.seconds,
    ratio: (inSql.seconds * 1000) / join_ms,
    /** The number of pairs that only one of the two found. Expected: 0. */
    pairs_only_one_found: onlyInOne(new Set(pairs.map(asNumbers)), inSql.pairs),
    /**
     * A whole build by the service: read, join, emit, write, and wait until readable. A second build has nothing to
     * emit.
     */
    ...{ build_seconds: first.ms / 1000, build_again_seconds: again.ms / 1000 },
    relationships: first.result,
    /** One story changes in the maintained graph: mean and maximum of some hundred changes. */
    ...changes,
  }
}

function timedJoin(stories: readonly GraphStory[]) {
  let [pairs, join_ms]: [readonly StoryPair[], number] = [[], Infinity]
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    pairs = joinAll(stories, GRAPH)
    join_ms = Math.min(join_ms, performance.now() - begun)
  }
  return { pairs, join_ms }
}

/**
 * Changes some of the stories: each loses an entity and gains the first one of another story, as when an article joins.
 */
function timedChanges(stories: readonly GraphStory[]) {
  const graph = keptGraph({ namespace: 'bench', stories, ledger: [] }, GRAPH)
  const step = Math.max(1, Math.floor(stories.length / CHANGES))
  const times: number[] = []
  for (const [i, story] of stories.entries()) {
    if (i % step !== 0) continue
    const [gained] = stories[(i + 1) % stories.length]?.entities ?? []
    const byId = new Map(
      [...story.entities.slice(1), ...(gained === undefined ? [] : [gained])].map((e) => [e.entity_id, e]),
    )
    const entities = [...byId.values()].sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1))
    const begun = performance.now()
    graph.change({ put: [{ ...story, entities }], drop: [], holds: [], ended: [] })
    times.push(performance.now() - begun)
  }
  const sum = times.reduce((total, time) => total + time, 0)
  return { change_ms: sum / times.length, slowest_change_ms: Math.max(...times) }
}

function hottest(sets: readonly (readonly number[])[]): number {
  const counts = new Map<number, number>()
  for (const set of sets) for (const entity of set) counts.set(entity, (counts.get(entity) ?? 0) + 1)
  return Math.max(...counts.values()) / sets.length
}

const numberIn = (id: string): number => Number(id.replace(/\D/gu, ''))

const asNumbers = ({ one, other }: StoryPair): PairOfNumbers =>
  `${numberIn(one.cluster_id)} ${numberIn(other.cluster_id)}`

const onlyInOne = (ours: ReadonlySet<PairOfNumbers>, theirs: ReadonlySet<PairOfNumbers>): number =>
  [...ours].filter((pair) => !theirs.has(pair)).length + [...theirs].filter((pair) => !ours.has(pair)).length

const table = (f: GraphFigure): readonly string[] => [
  `  ${f.stories.toLocaleString('en')} stories of ${f.entities_a_story.toFixed(1)} entities, the hottest in ${(f.hottest * 100).toFixed(0)} % of them; ${f.pairs.toLocaleString('en')} pairs`,
  `    the join                 ${f.join_ms.toFixed(0).padStart(8)} ms`,
  `    the same in SQL          ${(f.sql_seconds * 1000).toFixed(0).padStart(8)} ms   ${f.ratio.toFixed(0)} times as long; pairs only one of them found: ${f.pairs_only_one_found}`,
  `    a whole build            ${(f.build_seconds * 1000).toFixed(0).padStart(8)} ms   ${f.relationships.toLocaleString('en')} relationships written and shown; again, without changes: ${(f.build_again_seconds * 1000).toFixed(0)} ms`,
  `    one story changes        ${f.change_ms.toFixed(3).padStart(8)} ms   the slowest ${f.slowest_change_ms.toFixed(1)} ms`,
]
