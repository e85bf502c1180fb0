import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { storiesLinked, type GraphBuilt, type StoryLinked } from '../../events/graph.ts'
import { base32, derivedId } from '../../events/ids.ts'
import { articlesClustered } from '../../events/ledger.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Codec, Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { query } from '../query.ts'
import type { Compare, GraphDifferences, GraphDifference } from './compare.ts'
import { entityPairCountOfAll } from './stats.ts'
import { GraphBehind, shownPosition } from './position.ts'
import { storyCount } from './story-facts.ts'

export interface BuildPorts {
  readonly store: Store
  readonly log: Pick<Log, 'produce' | 'ends' | 'committed' | 'read' | 'partitionOf'>
  readonly codec: Codec
  readonly clock: Clock
  /** `comparing(store)`, or the same function in a separate process. */
  readonly compare: Compare
  /** Number of articles that the `linked` stage keeps in its state. */
  readonly memory: number
}

export interface GraphBuildRequest {
  readonly namespace: string
}

/** The graph rebuilt from the facts, and how the live graph differs from it. */
export interface GraphPreview extends GraphDifferences {
  readonly entity_pairs: number
  /** Partition of the ledger, and the offset (exclusive) up to which both graphs were read. */
  readonly partition: number
  readonly position: number
  /** `false` if the `linked` stage has not started and has yet to emit all differences. */
  readonly kept: boolean
}

/** The result of a build, including the corrections that do not indicate a defect. */
export interface BuildResult extends GraphBuilt {
  /** Corrections of stories that the stage may have evicted; not counted in `differences`. */
  readonly beyond_memory: number
  /** `false` if the `linked` stage has not started and will emit all of the `differences` itself. */
  readonly kept: boolean
}

const BY = { stage: 'api', version: '1' } as const

/** Rebuilds the graph of a namespace up to one ledger offset and compares it with the live graph. Emits nothing. */
export async function previewGraph({ namespace }: GraphBuildRequest, ports: BuildPorts): Promise<GraphPreview> {
  const { store, compare, clock, memory } = ports
  const [count] = await storyCount(store)({ namespace })
  const pairs = entityPairCountOfAll(store)({ namespace, as_of: clock.now() })
  const [compared, [counted]] = await Promise.all([
    count === undefined
      ? NOTHING
      : atPosition({ ...count, namespace }, ports, (position) =>
          compare({ namespace, position, count: count.stories, memory }),
        ),
    pairs,
  ])
  return { ...compared, entity_pairs: counted?.pairs ?? 0 }
}

const NOTHING = { stories: 0, links: 0, threads: 0, differences: [], partition: 0, position: 0, kept: true }

async function atPosition(
  { namespace, newest }: { readonly namespace: string; readonly newest: number },
  ports: BuildPorts,
  compare: (position: number) => Promise<GraphDifferences>,
): Promise<Omit<GraphPreview, 'entity_pairs'>> {
  // not the partition of its rows: those from before the partitions grew name another one
  const partition = ports.log.partitionOf(namespace, (await ports.log.ends(articlesClustered.name)).length)
  const reached = await shownPosition(partition, ports)
  const position = reached ?? newest + 1
  return { ...(await compare(position)), partition, position, kept: reached !== null }
}

/**
 * Rebuilds the whole graph of a namespace: emits each difference of the live graph to `stories.linked`, then an event
 * that the build is complete. Resolves when the view shows all of them. Reads continue meanwhile. Two concurrent builds
 * are safe: both emit the same changes. Throws `GraphBehind` if a view does not catch up.
 */
export async function buildGraph(ports: BuildPorts, { namespace }: GraphBuildRequest): Promise<BuildResult> {
  const { clock } = ports
  const begun = clock.now()
  const found = await previewGraph({ namespace }, ports)
  const build_id = `bld_${base32(randomBytes(ID_BYTES)).slice(0, ID_CHARACTERS)}`
  await emitAll(found.differences, (difference, i) => eventOf(difference, { namespace, build_id, found, i }), ports)
  const beyond_memory = found.differences.filter((difference) => difference.beyond_memory).length
  const built: GraphBuilt = {
    build_id,
    clusters_processed: found.stories,
    relationships_created: found.links,
    entity_pairs_processed: found.entity_pairs,
    narrative_threads_built: found.threads,
    differences: found.differences.length - beyond_memory,
    duration_seconds: (clock.now() - begun) / 1000,
  }
  await emit([completion(built, { namespace, begun, found })], ports)
  await shown(build_id, namespace, ports)
  return { ...built, duration_seconds: (clock.now() - begun) / 1000, beyond_memory, kept: found.kept }
}

const ID_BYTES = 17
const ID_CHARACTERS = 26

/**
 * `null` if the stage has not started: the events that it emits while it catches up then supersede those of the build.
 */
const causeOf = ({ partition, position, kept }: GraphPreview) =>
  position === 0 || !kept ? null : { topic: articlesClustered.name, partition, offset: position - 1 }

interface BuildEventContext {
  readonly namespace: string
  readonly build_id: string
  readonly found: GraphPreview
  /** Index of the event in the build. */
  readonly i: number
}

function eventOf(difference: GraphDifference, { namespace, build_id, found, i }: BuildEventContext): StoryLinked {
  const shared = {
    event_id: derivedId(BY, build_id, i),
    namespace,
    occurred_at: difference.valid_from,
    caused_by: causeOf(found),
    produced_by: BY,
    action: difference.action,
    thread_title: null,
    built: null,
  }
  if (difference.kind === 'relationship')
    return { ...shared, kind: 'relationship', ...difference.link, thread_id: null }
  const { cluster_id: source, thread_id } = difference
  return { ...shared, ...NO_LINK, kind: 'thread', type: 'thread', source, confidence: 1, thread_id }
}

const NO_LINK = { target: null, directed: false, shared_entities: [] } as const

const completion = (
  built: GraphBuilt,
  { namespace, begun, found }: { readonly namespace: string; readonly begun: number; readonly found: GraphPreview },
): StoryLinked => ({
  event_id: derivedId(BY, built.build_id, found.differences.length),
  namespace,
  occurred_at: begun,
  caused_by: causeOf(found),
  produced_by: BY,
  ...NO_LINK,
  kind: 'build',
  action: 'added',
  type: 'build',
  source: '',
  confidence: 1,
  thread_id: null,
  thread_title: null,
  built,
})

/** Events per batch. Encoding a batch blocks the event loop, so batches are small. */
const EVENTS_PER_BATCH = 500

async function emitAll(
  differences: readonly GraphDifference[],
  eventFor: (difference: GraphDifference, i: number) => StoryLinked,
  ports: BuildPorts,
): Promise<void> {
  for (let from = 0; from < differences.length; from += EVENTS_PER_BATCH) {
    const some = differences.slice(from, from + EVENTS_PER_BATCH)
    await emit(
      some.map((difference, i) => eventFor(difference, from + i)),
      ports,
    )
  }
}

async function emit(events: readonly StoryLinked[], { log, codec }: BuildPorts): Promise<void> {
  const records = events.map(async (event) => ({
    topic: storiesLinked.name,
    key: storiesLinked.key(event),
    value: await codec.encode(storiesLinked, event),
  }))
  await log.produce(await Promise.all(records))
}

const buildShown = query({
  name: 'graph.build_shown',
  sql: `
    SELECT build_id FROM graph_builds
    WHERE namespace = {namespace: String} AND build_id = {build_id: String}
    LIMIT 1`,
  params: z.object({ build_id: z.string() }),
  row: z.object({ build_id: z.string() }),
})

const POLL_MS = 50
/** A view needs some seconds for a hundred thousand events. */
const TIMEOUT_MS = 60_000

async function shown(build_id: string, namespace: string, { store, clock }: BuildPorts): Promise<void> {
  const until = clock.now() + TIMEOUT_MS
  while ((await buildShown(store)({ namespace, build_id })).length === 0) {
    if (clock.now() >= until) throw new GraphBehind(`view:graph does not show ${build_id}`)
    await clock.sleep(POLL_MS)
  }
}
