import { byPlace } from './change.ts'
import { joinAll, type Pair } from './join.ts'
import { linkOfLedger, linksOf } from './links.ts'
import type { GraphRules } from './rules.ts'
import type { Graph, GraphStory, LedgerLink } from './story.ts'
import { components, idOfThread } from './threads.ts'

export interface Facts {
  readonly namespace: string
  /** All stories that have articles. */
  readonly stories: readonly GraphStory[]
  readonly ledger: readonly LedgerLink[]
}

/** The whole graph from nothing but the facts. */
export const fullGraph = (facts: Facts, rules: GraphRules): Graph =>
  graphOf({ ...facts, pairs: joinAll(facts.stories, rules) }, rules)

/** The same where the pairs are known already. */
export function graphOf({ namespace, stories, ledger, pairs }: Facts & Joined, rules: GraphRules): Graph {
  const links = pairs.flatMap((pair) => linksOf(pair, rules))
  return {
    links: [...links, ...ledger.map(linkOfLedger)].sort(byPlace),
    threads: threadsOf({ namespace, stories, pairs }, rules),
  }
}

interface Joined {
  readonly namespace: string
  readonly stories: readonly GraphStory[]
  readonly pairs: readonly Pair[]
}

function threadsOf({ namespace, stories, pairs }: Joined, { thread }: GraphRules): ReadonlyMap<string, string> {
  const index = new Map(stories.map(({ cluster_id }, i) => [cluster_id, i]))
  const at = ({ cluster_id }: GraphStory): number => index.get(cluster_id) ?? 0
  const strong = pairs.filter(({ confidence }) => confidence >= thread.confidence)
  const parts = components(
    stories.length,
    strong.map(({ one, other }) => [at(one), at(other)] as const),
  )

  const groups = new Map<number, GraphStory[]>()
  for (const [i, story] of stories.entries()) {
    const group = groups.get(parts[i] ?? i)
    if (group === undefined) groups.set(parts[i] ?? i, [story])
    else group.push(story)
  }
  const threads = new Map<string, string>()
  for (const group of groups.values()) {
    if (group.length < thread.leastStories) continue
    const id = idOfThread(namespace, group)
    for (const { cluster_id } of group) threads.set(cluster_id, id)
  }
  return threads
}
