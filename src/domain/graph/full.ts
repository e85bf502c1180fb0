import { byPlace } from './change.ts'
import { joinAll, type StoryPair } from './join.ts'
import { averageLinkage, linkOfStep, stepOf, type ChaptersStep } from './linkage.ts'
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

/** The whole graph from nothing but the facts. */
export const fullGraph = (facts: GraphFacts, rules: GraphRules): Graph =>
  graphOf({ ...facts, pairs: joinAll(facts.stories, rules) }, rules)

/** The same where the pairs are known already. */
function graphOf({ namespace, stories, ledger, pairs }: GraphFacts & Joined, rules: GraphRules): Graph {
  const steps = bondsOfAll(
    stories,
    pairs.flatMap((pair) => stepOf(pair) ?? []),
    rules,
  )
  const links = [...pairs.flatMap((pair) => linksOf(pair, rules)), ...steps.map(linkOfStep)]
  return {
    links: [...links, ...ledger.map(linkOfLedger)].sort(byPlace),
    threads: threadsOf({ namespace, stories, steps }, rules),
  }
}

interface Joined {
  readonly pairs: readonly StoryPair[]
}

/** The steps that hold threads together. */
function bondsOfAll(
  stories: readonly GraphStory[],
  steps: readonly ChaptersStep[],
  rules: GraphRules,
): readonly ChaptersStep[] {
  const groups = groupsOf(stories, steps)
  const within = new Map<GraphStory, ChaptersStep[]>()
  const groupOf = new Map(groups.flatMap((group) => group.map(({ cluster_id }) => [cluster_id, group[0]] as const)))
  for (const step of steps) {
    const first = groupOf.get(step.to.cluster_id)
    if (first === undefined) continue
    const some = within.get(first)
    if (some === undefined) within.set(first, [step])
    else some.push(step)
  }
  const bondsOf = averageLinkage(rules)
  return groups.flatMap((group) => {
    const [first] = group
    return first === undefined || group.length === 1 ? [] : bondsOf(group, within.get(first) ?? [])
  })
}

/** Stories that hang together by steps. */
function groupsOf(stories: readonly GraphStory[], steps: readonly ChaptersStep[]): readonly GraphStory[][] {
  const index = new Map(stories.map(({ cluster_id }, i) => [cluster_id, i]))
  const at = ({ cluster_id }: GraphStory): number => index.get(cluster_id) ?? 0
  const parts = components(
    stories.length,
    steps.map(({ from, to }) => [at(from), at(to)] as const),
  )
  const groups = new Map<number, GraphStory[]>()
  for (const [i, story] of stories.entries()) {
    const group = groups.get(parts[i] ?? i)
    if (group === undefined) groups.set(parts[i] ?? i, [story])
    else group.push(story)
  }
  return [...groups.values()]
}

interface Stepped {
  readonly namespace: string
  readonly stories: readonly GraphStory[]
  readonly steps: readonly ChaptersStep[]
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

/** Which of the elements 0 to `size` - 1 hang together: each one's representative, after the given edges. */
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

/** A thread is named after the first story that is in it, or went into one that is. */
const idOfThread = (namespace: string, stories: Iterable<GraphStory>): string =>
  threadId(namespace, firstOf(stories).cluster_id)

function firstOf(stories: Iterable<GraphStory>): Founding {
  let first: Founding = { order: Infinity, cluster_id: '' }
  for (const { founded } of stories) if (earlier(founded, first)) first = founded
  return first
}
