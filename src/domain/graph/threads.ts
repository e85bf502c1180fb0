import { threadId } from '../../events/ids.ts'
import { earlier } from './past.ts'
import type { Founding, GraphStory } from './story.ts'

/** Which of the elements 0 to `size` - 1 hang together: each one's representative, after the given edges. */
export function components(size: number, edges: Iterable<readonly [number, number]>): Int32Array {
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
export const idOfThread = (namespace: string, stories: Iterable<GraphStory>): string =>
  threadId(namespace, firstOf(stories).cluster_id)

export function firstOf(stories: Iterable<GraphStory>): Founding {
  let first: Founding = { order: Infinity, cluster_id: '' }
  for (const { founded } of stories) if (earlier(founded, first)) first = founded
  return first
}
