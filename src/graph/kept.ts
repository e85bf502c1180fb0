import { difference, type GraphChange, type StoryChanges } from './change.ts'
import { fullGraph } from './full.ts'
import type { GraphRules } from './rules.ts'
import { keyOf } from './change.ts'
import type { Graph, GraphStory, LedgerLink } from './story.ts'

/** The graph of one namespace, kept up to date story by story: at every moment what `fullGraph` makes of the same stories. */
export interface KeptGraph {
  /** Brings it up to date and says what became different. It owns what it is given. */
  readonly change: (changes: StoryChanges) => GraphChange
  /**
   * A story leaves for want of room. Those that stay keep their thread's id: answers the stories that were founded later
   * than a thread they were in, with that thread's founding as theirs from now on.
   */
  readonly forget: (cluster_id: string) => readonly GraphStory[]
  readonly graph: () => Graph
}

export interface Beginning {
  readonly namespace: string
  readonly stories: readonly GraphStory[]
  readonly ledger: readonly LedgerLink[]
}

export function keptGraph({ namespace, stories, ledger }: Beginning, rules: GraphRules): KeptGraph {
  const live = new Map(stories.map((story) => [story.cluster_id, story]))
  const told = new Map(ledger.map((link) => [keyOf(link), link]))
  let graph = fullGraph({ namespace, stories, ledger }, rules)
  return {
    change: ({ put, drop, holds, ended }) => {
      const before = graph
      for (const id of drop) live.delete(id)
      for (const story of put) live.set(story.cluster_id, story)
      for (const link of ended) told.delete(keyOf(link))
      for (const link of holds) told.set(keyOf(link), link)
      graph = fullGraph({ namespace, stories: [...live.values()], ledger: [...told.values()] }, rules)
      return difference(before, graph)
    },
    forget: (cluster_id) => {
      live.delete(cluster_id)
      graph = fullGraph({ namespace, stories: [...live.values()], ledger: [...told.values()] }, rules)
      return []
    },
    graph: () => graph,
  }
}
