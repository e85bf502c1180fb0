import { z } from 'zod'
import { difference, keyOf } from '../../domain/graph/change.ts'
import { fullGraph } from '../../domain/graph/full.ts'
import { GRAPH } from '../../domain/graph/rules.ts'
import type { Graph, Link } from '../../domain/graph/story.ts'
import type { Store } from '../../ports/store.ts'
import {
  inParts,
  readCentres,
  storyFacts,
  type GraphFactsUpTo,
  type GraphStoryFacts,
  type ReadStory,
} from './story-facts.ts'
import { LINK_TYPES } from '../../events/graph.ts'
import { query, type RowOf } from '../query.ts'

const MAX_SECONDS = 60

/** The number of ledger entries on the relationships of a namespace, and on the threads of its stories. */
const ledgerCounts = query({
  name: 'graph.word_count',
  sql: `
    SELECT
      (SELECT count() FROM relationships WHERE namespace = {namespace: String}) AS links,
      (SELECT count() FROM thread_places WHERE namespace = {namespace: String}) AS places`,
  params: z.object({}),
  row: z.object({ links: z.number(), places: z.number() }),
  maxSeconds: MAX_SECONDS,
})

/**
 * The relationships in effect up to a ledger offset. Entries are ordered by the offset of their cause, then by their
 * own.
 */
const liveLinks = query({
  name: 'graph.live_links',
  sql: `
    SELECT source, target, type, entry.2 AS directed, entry.3 AS confidence, entry.4 AS shared_entities, entry.5 AS valid_from
    FROM
    (
      SELECT
        source, target, type,
        argMax(
          (action, directed, confidence, shared_entities, toUnixTimestamp64Milli(valid_from)), (caused_offset, _offset)
        ) AS entry
      FROM relationships FINAL
      WHERE namespace = {namespace: String} AND caused_offset < {position: Int64}
        AND cityHash64(source, target) % {parts: UInt32} = {part: UInt32}
      GROUP BY source, target, type
    )
    WHERE entry.1 != 'removed'`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({
    source: z.string(),
    target: z.string(),
    type: z.enum(LINK_TYPES),
    directed: z.boolean(),
    confidence: z.number(),
    shared_entities: z.array(z.string()),
    /** Milliseconds since 1970. */
    valid_from: z.number(),
  }),
  maxSeconds: MAX_SECONDS,
})

const liveThreads = query({
  name: 'graph.live_places',
  sql: `
    SELECT cluster_id, entry.2 AS thread_id, entry.3 AS valid_from
    FROM
    (
      SELECT
        cluster_id, argMax((action, thread_id, toUnixTimestamp64Milli(valid_from)), (caused_offset, _offset)) AS entry
      FROM thread_places FINAL
      WHERE namespace = {namespace: String} AND caused_offset < {position: Int64}
        AND cityHash64(cluster_id) % {parts: UInt32} = {part: UInt32}
      GROUP BY cluster_id
    )
    WHERE entry.1 != 'removed'`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({ cluster_id: z.string(), thread_id: z.string(), valid_from: z.number() }),
  maxSeconds: MAX_SECONDS,
})

interface LiveGraph {
  readonly links: readonly RowOf<typeof liveLinks>[]
  readonly threads: readonly RowOf<typeof liveThreads>[]
}

/** The graph as the views show it, up to a ledger offset. */
async function liveGraph(store: Store, upTo: GraphFactsUpTo): Promise<LiveGraph> {
  const [count] = await ledgerCounts(store)({ namespace: upTo.namespace })
  const links = await inParts(count?.links ?? 0, (part) => liveLinks(store)({ ...upTo, ...part }))
  const threads = await inParts(count?.places ?? 0, (part) => liveThreads(store)({ ...upTo, ...part }))
  return { links, threads }
}

/** An event that makes the live graph agree with the graph rebuilt from the facts. */
export type GraphDifference =
  | (DifferenceDetails & { readonly kind: 'relationship'; readonly link: Link })
  | (DifferenceDetails & { readonly kind: 'thread'; readonly cluster_id: string; readonly thread_id: string })

interface DifferenceDetails {
  readonly action: 'added' | 'changed' | 'removed'
  readonly valid_from: number
  /** The difference concerns a story that the stage may have evicted, so it is not a defect. */
  readonly beyond_memory: boolean
}

/** A graph rebuilt from the facts, and the differences of the live graph from it. */
export interface GraphDifferences {
  readonly stories: number
  readonly links: number
  readonly threads: number
  readonly differences: readonly GraphDifference[]
}

export interface GraphComparison extends GraphFactsUpTo {
  /** Number of stories, or an upper bound near it. */
  readonly count: number
  /** Number of articles that the `linked` stage keeps in its state. */
  readonly memory: number
}

/** Reads only from the store. CPU-bound; the time grows with the namespace. */
export type Compare = (comparison: GraphComparison) => Promise<GraphDifferences>

/** Runs in this process and blocks its event loop. */
export const comparing =
  (store: Store): Compare =>
  async (comparison) => {
    const [facts, live] = await Promise.all([storyFacts(store, comparison, GRAPH), liveGraph(store, comparison)])
    const comparable = facts.stories.filter(({ entities }) => entities.length >= GRAPH.candidate.least)
    await readCentres(store, comparison, new Set(comparable))
    const graph = fullGraph({ ...facts, namespace: comparison.namespace }, GRAPH)
    return {
      stories: facts.stories.length,
      links: graph.links.length,
      threads: new Set(graph.threads.values()).size,
      differences: differences({ live, graph, facts, memory: comparison.memory }),
    }
  }

/** Confidences closer than this count as equal: a number may lose its last digit in the store. */
const TOLERANCE = 1e-9

interface ComparedGraphs {
  readonly live: LiveGraph
  readonly graph: Graph
  readonly facts: GraphStoryFacts
  readonly memory: number
}

function differences({ live, graph, facts, memory }: ComparedGraphs): readonly GraphDifference[] {
  const rebuilt = new Map(graph.links.map((link) => [keyOf(link), link.confidence]))
  const shown: Graph = {
    links: live.links.map((link) => ({ ...link, confidence: nearest(link.confidence, rebuilt.get(keyOf(link))) })),
    threads: new Map(live.threads.map(({ cluster_id, thread_id }) => [cluster_id, thread_id])),
  }
  const change = difference(shown, graph)
  const beyond = beyondMemory(facts.stories, memory, () => [...shown.threads, ...graph.threads])
  const since = dating(live, facts)
  return [
    ...change.links.map(({ action, link }): GraphDifference => {
      const details = { action, valid_from: since.link(link), beyond_memory: beyond.link(link) }
      return { kind: 'relationship', ...details, link: linkFields(link) }
    }),
    ...change.threads.map(({ action, cluster_id, thread_id }): GraphDifference => {
      const threads = [thread_id, shown.threads.get(cluster_id), graph.threads.get(cluster_id)]
      const details = { action, valid_from: since.place(cluster_id), beyond_memory: beyond.thread(cluster_id, threads) }
      return { kind: 'thread', ...details, cluster_id, thread_id }
    }),
  ]
}

const nearest = (confidence: number, other: number | undefined): number =>
  other !== undefined && Math.abs(confidence - other) < TOLERANCE ? other : confidence

/** A correction is valid from the time of the wrong entry; an addition from when everything it refers to existed. */
function dating(live: LiveGraph, { stories, linkedAt }: GraphStoryFacts) {
  const linkedFrom = new Map(live.links.map((link) => [keyOf(link), link.valid_from]))
  const placedFrom = new Map(live.threads.map(({ cluster_id, valid_from }) => [cluster_id, valid_from]))
  const firstAt = new Map(stories.map(({ cluster_id, first_at }) => [cluster_id, first_at]))
  const since = ({ source, target, shared_entities }: Link): number => {
    const ofLedger = shared_entities.length === 0
    const times = [source, target].flatMap((id) => firstAt.get(id) ?? [])
    return Math.max(ofLedger ? (linkedAt.get(source) ?? 0) : 0, ...times)
  }
  return {
    link: (link: Link): number => linkedFrom.get(keyOf(link)) ?? since(link),
    place: (story: string): number => placedFrom.get(story) ?? firstAt.get(story) ?? 0,
  }
}

/** A removed link comes from the store and has more fields than `Link`. */
const linkFields = ({ source, target, type, directed, confidence, shared_entities }: Link): Link => {
  return { source, target, type, directed, confidence, shared_entities }
}

/** Decides which stories of a graph the `linked` stage may have evicted. */
interface BeyondMemory {
  readonly link: (link: Pick<Link, 'source' | 'target'>) => boolean
  /** A story's membership in a thread; `threads`: its threads in both graphs. */
  readonly thread: (story: string, threads: readonly (string | undefined)[]) => boolean
}

const NOTHING_EVICTED: BeyondMemory = { link: () => false, thread: () => false }

type StoryReach = Pick<ReadStory, 'cluster_id' | 'opened' | 'newest' | 'articles'>

/**
 * The stage keeps a limited number of articles. Over the limit it evicts whole stories, the one whose newest article is
 * the oldest first. A story that gets articles after its eviction is only partly in the state. So every story counts
 * that was opened before the newest article of the last evicted story, and every thread with such a story. `places`:
 * the thread of each story, in both graphs.
 */
export function beyondMemory(
  stories: readonly StoryReach[],
  memory: number,
  places: () => Iterable<readonly [story: string, thread: string]>,
): BeyondMemory {
  const until = lastEvicted(stories, memory)
  if (until === null) return NOTHING_EVICTED

  const opened = new Map(stories.map((story) => [story.cluster_id, story.opened]))
  const isBeyond = (story: string): boolean => (opened.get(story) ?? -1) <= until
  const threadsBeyond = new Set([...places()].flatMap(([story, thread]) => (isBeyond(story) ? [thread] : [])))
  return {
    link: ({ source, target }) => isBeyond(source) || isBeyond(target),
    thread: (story, threads) =>
      isBeyond(story) || threads.some((thread) => thread !== undefined && threadsBeyond.has(thread)),
  }
}

/** Ledger offset of the newest article of the last story that had to be evicted; `null` if all stories fit. */
function lastEvicted(stories: readonly StoryReach[], memory: number): number | null {
  let fit = stories.reduce((sum, { articles }) => sum + articles, 0)
  if (fit <= memory) return null
  let until: number | null = null
  for (const { newest, articles } of [...stories].sort((a, b) => a.newest - b.newest)) {
    if (fit <= memory) break
    fit -= articles
    until = newest
  }
  return until
}
