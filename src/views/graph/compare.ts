import { difference, keyOf } from '../../domain/graph/change.ts'
import { fullGraph } from '../../domain/graph/full.ts'
import { GRAPH } from '../../domain/graph/rules.ts'
import type { Graph, Link } from '../../domain/graph/story.ts'
import type { Store } from '../../ports/store.ts'
import { readCentres, storyFacts, type ReadStory, type GraphStoryFacts, type GraphFactsUpTo } from './facts.ts'
import { liveGraph, type LiveLink, type LivePlace } from './live.ts'
import { beyondMemory } from './memory-reach.ts'

/** A word that has to be said so that the graph which is kept is the one that follows from the facts. */
export type GraphDifference =
  | (DifferenceDetails & { readonly kind: 'relationship'; readonly link: Link })
  | (DifferenceDetails & { readonly kind: 'thread'; readonly cluster_id: string; readonly thread_id: string })

interface DifferenceDetails {
  readonly action: 'added' | 'changed' | 'removed'
  readonly valid_from: number
  /** It concerns a story that the stage may have let go of, and says nothing against it. */
  readonly beyond_memory: boolean
}

/** A graph rebuilt from the facts, and how far the one that is kept is from it. */
export interface GraphDifferences {
  readonly stories: number
  readonly links: number
  readonly threads: number
  readonly differences: readonly GraphDifference[]
}

export interface GraphComparison extends GraphFactsUpTo {
  /** How many stories there are, or somewhat more. */
  readonly count: number
  /** Articles that the stage which keeps the graph remembers. */
  readonly memory: number
}

/** Asks for nothing but what the store holds; computes for as long as a big namespace takes. */
export type Compare = (comparison: GraphComparison) => Promise<GraphDifferences>

/** In this process, which does nothing else meanwhile. */
export const comparing =
  (store: Store): Compare =>
  async (comparison) => {
    const [facts, live] = await Promise.all([storyFacts(store, comparison, GRAPH), liveGraph(store, comparison)])
    const graph = await graphFromView(store, comparison, facts)
    return {
      stories: facts.stories.length,
      links: graph.links.length,
      threads: new Set(graph.threads.values()).size,
      differences: differences({ live, graph, facts, memory: comparison.memory }),
    }
  }

async function graphFromView(
  store: Store,
  { namespace, position }: GraphComparison,
  { stories, ledger }: GraphStoryFacts,
): Promise<Graph> {
  const comparable = stories.filter(({ entities }) => entities.length >= GRAPH.candidate.least)
  await readCentres(store, { namespace, position }, new Set<ReadStory>(comparable))
  return fullGraph({ namespace, stories, ledger }, GRAPH)
}

interface CompareLive {
  readonly links: readonly LiveLink[]
  readonly places: readonly LivePlace[]
}

/** Confidences this near are the same: on its way through the store a number may lose its last digit. */
const SAME = 1e-9

interface ComparedGraphs {
  readonly live: CompareLive
  readonly graph: Graph
  readonly facts: GraphStoryFacts
  readonly memory: number
}

function differences({ live, graph, facts, memory }: ComparedGraphs): readonly GraphDifference[] {
  const whole = new Map(graph.links.map((link) => [keyOf(link), link.confidence]))
  const kept: Graph = {
    links: live.links.map((link) => ({ ...link, confidence: nearest(link.confidence, whole.get(keyOf(link))) })),
    threads: new Map(live.places.map(({ cluster_id, thread_id }) => [cluster_id, thread_id])),
  }
  const change = difference(kept, graph)
  const beyond = beyondMemory(facts.stories, memory, () => [...kept.threads, ...graph.threads])
  const since = dating(live, facts)
  return [
    ...change.links.map(({ action, link }): GraphDifference => {
      const details = { action, valid_from: since.link(link), beyond_memory: beyond.link(link) }
      return { kind: 'relationship', ...details, link: wordOf(link) }
    }),
    ...change.threads.map(({ action, cluster_id, thread_id }): GraphDifference => {
      const threads = [thread_id, kept.threads.get(cluster_id), graph.threads.get(cluster_id)]
      const details = { action, valid_from: since.place(cluster_id), beyond_memory: beyond.place(cluster_id, threads) }
      return { kind: 'thread', ...details, cluster_id, thread_id }
    }),
  ]
}

const nearest = (confidence: number, other: number | undefined): number =>
  other !== undefined && Math.abs(confidence - other) < SAME ? other : confidence

/** What is mended holds from when the wrong word did; what was missing from when all it is about was there. */
function dating(live: CompareLive, { stories, linkedAt }: GraphStoryFacts) {
  const linkedFrom = new Map(live.links.map((link) => [keyOf(link), link.valid_from]))
  const placedFrom = new Map(live.places.map(({ cluster_id, valid_from }) => [cluster_id, valid_from]))
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

/** A removed one comes from the store, with more than a link has. */
const wordOf = ({ source, target, type, directed, confidence, shared_entities }: Link): Link => ({
  ...{ source, target, type, directed, confidence, shared_entities },
})
