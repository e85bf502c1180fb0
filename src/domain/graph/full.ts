import { groupBy } from '../group-by.ts'
import { byEnds } from './change.ts'
import { joinAll, type StoryPair } from './join.ts'
import { averageLinkage, linkOfStep, stepOf, type ChapterStep } from './linkage.ts'
import { linkOfLedger, linksOf } from './links.ts'
import type { GraphRules } from './rules.ts'
import type { Graph, GraphStory, LedgerLink, Founding } from './story.ts'
import { threadId } from '../../events/ids.ts'
import { earlier } from './past.ts'

export interface GraphFacts {
  readonly namespace: string
  /** All stories that have articles. */
  readonly stories: readonly GraphStory[]
  readonly ledger: readonly LedgerLink[]
}

/** Computes the whole graph from the facts alone. */
export const fullGraph = (facts: GraphFacts, rules: GraphRules): Graph =>
  graphOf({ ...facts, pairs: joinAll(facts.stories, rules) }, rules)

/** Computes the graph from pairs that are already known. */
function graphOf(
  { namespace, stories, ledger, pairs }: GraphFacts & { readonly pairs: readonly StoryPair[] },
  rules: GraphRules,
): Graph {
  const steps = bondsOfAll(
    stories,
    pairs.flatMap((pair) => stepOf(pair) ?? []),
    rules,
  )
  const links = [...pairs.flatMap((pair) => linksOf(pair, rules)), ...steps.map(linkOfStep)]
  return {
    links: [...links, ...ledger.map(linkOfLedger)].sort(byEnds),
    threads: threadsOf({ namespace, stories, steps }, rules),
  }
}

/** The steps that hold threads together. */
function bondsOfAll(
  stories: readonly GraphStory[],
  steps: readonly ChapterStep[],
  rules: GraphRules,
): readonly ChapterStep[] {
  const groups = groupsOf(stories, steps)
  const groupOf = new Map(groups.flatMap((group) => group.map(({ cluster_id }) => [cluster_id, group] as const)))
  const within = groupBy(steps, ({ to }) => groupOf.get(to.cluster_id))
  const bondsOf = averageLinkage(rules)
  return groups.flatMap((group) => (group.length === 1 ? [] : bondsOf(group, within.get(group) ?? [])))
}

/** Groups of stories that are connected by steps. */
function groupsOf(stories: readonly GraphStory[], steps: readonly ChapterStep[]): readonly GraphStory[][] {
  const index = new Map(stories.map(({ cluster_id }, i) => [cluster_id, i]))
  const at = ({ cluster_id }: GraphStory): number => index.get(cluster_id) ?? 0
  const parts = components(
    stories.length,
    steps.map(({ from, to }) => [at(from), at(to)] as const),
  )
  return [...groupBy(stories, (story) => parts[at(story)]).values()]
}

interface Stepped extends Pick<GraphFacts, 'namespace' | 'stories'> {
  readonly steps: readonly ChapterStep[]
}

function threadsOf({ namespace, stories, steps }: Stepped, { thread }: GraphRules): ReadonlyMap<string, string> {
  const threads = new Map<string, string>()
  for (const group of groupsOf(stories, steps)) {
    if (group.length < thread.leastStories) continue
    const id = idOfThread(namespace, group)
    for (const { cluster_id } of group) threads.set(cluster_id, id)
  }
  return threads
}

/** Connected components of the elements 0 to `size` - 1: the representative of each element, int32[size]. */
function components(size: number, edges: Iterable<readonly [number, number]>): Int32Array {
  const parent = Int32Array.from({ length: size }, (_, i) => i)
  const root = (at: number): number => {
    let top = at
    while (parent[top] !== top) {
      // Path halving keeps later look-ups short.
      parent[top] = parent[parent[top] ?? 0] ?? 0
      top = parent[top] ?? 0
    }
    return top
  }
  for (const [a, b] of edges) {
    const [one, other] = [root(a), root(b)]
    parent[Math.max(one, other)] = Math.min(one, other)
  }
  for (let i = 0; i < size; i++) parent[i] = root(i)
  return parent
}

/** A thread is named after the earliest founding among its stories, including stories that were merged into them. */
function idOfThread(namespace: string, stories: Iterable<GraphStory>): string {
  let first: Founding = { order: Infinity, cluster_id: '' }
  for (const { founded } of stories) if (earlier(founded, first)) first = founded
  return threadId(namespace, first.cluster_id)
}
