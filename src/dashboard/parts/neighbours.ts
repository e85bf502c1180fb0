import type { components } from '../../../sdk/src/index.ts'

type NeighboursRelationship = components['schemas']['ClusterRelationship']

export interface Neighbour {
  readonly relationship: NeighboursRelationship
  /** The story that stands for it today, where it was merged. */
  readonly id: string
  readonly title: string
  /** How it is related, and why, in a sentence. */
  readonly why: string
}

/**
 * Each story once, by its surest relationship, and not the story itself: several ids may stand for one story since they were
 * merged, and two stories may be related in more than one way. The surest come first.
 */
export function eachOnce(found: readonly Neighbour[], own: string): readonly Neighbour[] {
  const byId = new Map<string, Neighbour>()
  const surest = found.toSorted((a, b) => b.relationship.confidence - a.relationship.confidence)
  for (const one of surest) if (one.id !== own && !byId.has(one.id)) byId.set(one.id, one)
  return [...byId.values()]
}
