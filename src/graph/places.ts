import { threadChange, type ThreadChange } from './change.ts'
import { idOfThread } from './threads.ts'
import type { Near } from './near.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'

/** Which thread each story is in, kept as links come and go. */
export interface Places {
  /** Looks anew at the threads of these stories and of all that hang together with them. */
  readonly renew: (stories: Iterable<string>) => readonly ThreadChange[]
  /** A story is there no more. */
  readonly leave: (cluster_id: string) => readonly ThreadChange[]
  readonly all: () => ReadonlyMap<string, string>
}

interface World {
  readonly namespace: string
  readonly near: Near
  readonly get: (cluster_id: string) => GraphStory | undefined
}

export function places({ namespace, near, get }: World, rules: GraphRules): Places {
  const all = new Map<string, string>()

  const place = (cluster_id: string, thread?: string): readonly ThreadChange[] => {
    const change = threadChange(cluster_id, all.get(cluster_id), thread)
    if (thread === undefined) all.delete(cluster_id)
    else all.set(cluster_id, thread)
    return change
  }
  const renew = (stories: Iterable<string>): readonly ThreadChange[] =>
    groupsOf(stories, { near, get }, rules).flatMap((group) => {
      const thread = group.length < rules.thread.leastStories ? undefined : idOfThread(namespace, group)
      return group.flatMap(({ cluster_id }) => place(cluster_id, thread))
    })

  return { renew, leave: (cluster_id) => place(cluster_id), all: () => all }
}

/** Of some stories, each group that hangs together, whole. */
function groupsOf(
  stories: Iterable<string>,
  { near, get }: Pick<World, 'near' | 'get'>,
  rules: GraphRules,
): readonly (readonly GraphStory[])[] {
  const seen = new Set<string>()
  const groups: GraphStory[][] = []
  for (const id of stories) {
    if (seen.has(id)) continue
    const reached = reachedFrom(id, near, rules)
    for (const one of reached) seen.add(one)
    groups.push([...reached].map(get).filter((story) => story !== undefined))
  }
  return groups
}

/** All that a story hangs together with, itself too. */
function reachedFrom(cluster_id: string, near: Near, { thread }: GraphRules): ReadonlySet<string> {
  const reached = new Set([cluster_id])
  for (const id of reached) {
    for (const [other, [shared]] of near.of(id)) if (shared.confidence >= thread.confidence) reached.add(other)
  }
  return reached
}
