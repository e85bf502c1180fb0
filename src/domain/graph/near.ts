import type { StoryPair } from './join.ts'
import type { Link } from './story.ts'

/** What two stories are to each other. */
export interface Ties {
  readonly pair: StoryPair
  readonly links: readonly Link[]
}

/** Which stories have ties, from both ends. */
export interface GraphNear {
  readonly of: (cluster_id: string) => ReadonlyMap<string, Ties>
  readonly tie: (a: string, b: string, ties: Ties) => void
  /** Takes all ties of a story away. */
  readonly leave: (cluster_id: string) => void
  readonly links: () => readonly Link[]
}

const NOBODY: ReadonlyMap<string, Ties> = new Map()

export function near(): GraphNear {
  const all = new Map<string, Map<string, Ties>>()

  const oneWay = (a: string, b: string, ties: Ties): void => {
    const others = all.get(a)
    if (others === undefined) all.set(a, new Map([[b, ties]]))
    else others.set(b, ties)
  }
  const cut = (a: string, b: string): void => {
    const others = all.get(a)
    if (others?.delete(b) === true && others.size === 0) all.delete(a)
  }
  return {
    of: (cluster_id) => all.get(cluster_id) ?? NOBODY,
    tie: (a, b, ties) => {
      oneWay(a, b, ties)
      oneWay(b, a, ties)
    },
    leave: (cluster_id) => {
      for (const other of all.get(cluster_id)?.keys() ?? []) cut(other, cluster_id)
      all.delete(cluster_id)
    },
    // Each is held from both ends, and counts at one.
    links: () =>
      [...all].flatMap(([id, others]) =>
        [...others.values()].flatMap(({ pair, links }) => (pair.one.cluster_id === id ? links : [])),
      ),
  }
}
