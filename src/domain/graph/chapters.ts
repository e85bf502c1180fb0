import type { Link, GraphStory } from './story.ts'
import { chance, isBefore } from './next-chapter.ts'
import { pairOf, type StoryPair } from './join.ts'

/** A story, and an earlier story that it goes on with. */
export interface ChaptersStep {
  readonly from: GraphStory
  readonly to: GraphStory
  /** Log odds. */
  readonly score: number
}

/** From the earlier to the later story of a pair. Null: neither surely goes on with the other. */
export function stepOf({ one, other, next }: StoryPair): ChaptersStep | null {
  if (next === null) return null
  return isBefore(one, other) ? { from: one, to: other, score: next } : { from: other, to: one, score: next }
}

/** The `evolved_into` link of a step: the earlier story has evolved into the later. */
export const linkOfStep = ({ from, to, score }: ChaptersStep): Link => ({
  ...{ source: from.cluster_id, target: to.cluster_id, type: 'evolved_into', directed: true },
  confidence: chance(score),
  shared_entities: pairOf(from, to, { confidence: 0, next: score }).shared_entities,
})
