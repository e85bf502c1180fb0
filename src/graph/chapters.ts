import type { Link, GraphStory } from './story.ts'
import { chance, isBefore } from './next-chapter.ts'
import { pairOf, type Pair } from './join.ts'

/** A story, and the one earlier story that it goes on with. */
export interface Step {
  readonly from: GraphStory
  readonly to: GraphStory
  /** Log odds. */
  readonly score: number
}

/** Of some pairs with one story, the step that leads to it: from the earlier one it most surely goes on with. Null: from none. */
export function stepTo(story: GraphStory, pairs: Iterable<Pair>): Step | null {
  let best: Step | null = null
  for (const { one, other, next } of pairs) {
    const from = one.cluster_id === story.cluster_id ? other : one
    if (next === null || !isBefore(from, story)) continue
    const step = { from, to: story, score: next }
    if (best === null || isSurer(step, best)) best = step
  }
  return best
}

export const isSurer = (a: Step, b: Step): boolean =>
  a.score > b.score || (a.score === b.score && a.from.cluster_id < b.from.cluster_id)

/** What is said of a step: the earlier story has evolved into the later. */
export const linkOfStep = ({ from, to, score }: Step): Link => ({
  ...{ source: from.cluster_id, target: to.cluster_id, type: 'evolved_into', directed: true },
  confidence: chance(score),
  shared_entities: pairOf(from, to, { confidence: 0, next: score }).shared_entities,
})

/** Each story's step, from both ends. */
export interface Chapters {
  readonly to: (cluster_id: string) => Step | undefined
  readonly put: (cluster_id: string, step: Step | null) => void
  /** Stories that a step leads to or from: those next to one in its thread. */
  readonly beside: (cluster_id: string) => Iterable<string>
  readonly steps: () => Iterable<Step>
}

export function chapters(): Chapters {
  const steps = new Map<string, Step>()
  const after = new Map<string, Set<string>>()
  const cut = (id: string): void => {
    const source = steps.get(id)?.from.cluster_id
    if (source === undefined) return
    const others = after.get(source)
    others?.delete(id)
    if (others?.size === 0) after.delete(source)
    steps.delete(id)
  }
  return {
    to: (id) => steps.get(id),
    put: (id, step) => {
      cut(id)
      if (step === null) return
      const source = step.from.cluster_id
      steps.set(id, step)
      after.set(source, (after.get(source) ?? new Set<string>()).add(id))
    },
    *beside(id) {
      const source = steps.get(id)?.from.cluster_id
      if (source !== undefined) yield source
      yield* after.get(id) ?? []
    },
    steps: () => steps.values(),
  }
}
