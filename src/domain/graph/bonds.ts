import type { ChaptersStep } from './linkage.ts'

/** The steps that hold threads together, from both ends. */
export interface Bonds {
  /** Stories that a bond leads to or from. */
  readonly beside: (cluster_id: string) => Iterable<string>
  /** The bonds of some stories become these; returns those they had. Both ends of each are among the stories. */
  readonly replace: (stories: Iterable<string>, bonds: readonly ChaptersStep[]) => readonly ChaptersStep[]
  readonly all: () => readonly ChaptersStep[]
}

export function bonds(): Bonds {
  const of = new Map<string, Map<string, ChaptersStep>>()
  const put = (one: string, other: string, step: ChaptersStep): void => {
    of.set(one, (of.get(one) ?? new Map<string, ChaptersStep>()).set(other, step))
  }
  const replace = (stories: Iterable<string>, next: readonly ChaptersStep[]): readonly ChaptersStep[] => {
    const were = new Set<ChaptersStep>()
    for (const id of stories) {
      for (const step of of.get(id)?.values() ?? []) were.add(step)
      of.delete(id)
    }
    for (const step of next) {
      put(step.from.cluster_id, step.to.cluster_id, step)
      put(step.to.cluster_id, step.from.cluster_id, step)
    }
    return [...were]
  }
  return {
    beside: (id) => of.get(id)?.keys() ?? [],
    replace,
    all: () => [...new Set([...of.values()].flatMap((others) => [...others.values()]))],
  }
}

/** Stories that hang together, each once: those around some of them. */
export function around(
  seeds: Iterable<string>,
  beside: (cluster_id: string) => Iterable<string>,
): readonly (readonly string[])[] {
  const seen = new Set<string>()
  const groups: string[][] = []
  for (const seed of seeds) {
    if (seen.has(seed)) continue
    const group = new Set([seed])
    for (const id of group) for (const other of beside(id)) group.add(other)
    for (const id of group) seen.add(id)
    groups.push([...group])
  }
  return groups
}
