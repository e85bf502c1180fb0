import type { LifecycleState } from '../../events/lifecycle.ts'
import { reason, type LifecycleReason } from '../../events/lifecycle-reason.ts'
import { LIFECYCLE, lifecycle, type PlatformReception } from '../../events/lifecycle-rules.ts'
import type { Store } from '../../ports/store.ts'
import { coverage, velocity } from './facts.ts'
import { persistedStates, storyMembers, storyReceptions } from './queries.ts'

const DAY_MS = 86_400_000

/** The window of `article_velocity`. */
const VELOCITY_MS = DAY_MS

/** Ids of one question: they travel in its address. */
const AT_ONCE = 1_000

export interface StoriesAsked {
  readonly namespace: string
  readonly ids: readonly string[]
  /** Milliseconds since 1970. */
  readonly as_of: number
}

/** A story at a moment. */
export interface Evaluated {
  readonly state: LifecycleState
  readonly reason: LifecycleReason
  /** The last state that was persisted up to then. */
  readonly previous: LifecycleState | null
  readonly article_velocity: number
  readonly has_echo: boolean
}

/** By id: the rules applied to the last persisted state before a moment and the facts at it. Stories without a member then are left out. */
export async function evaluated(store: Store, asked: StoriesAsked): Promise<ReadonlyMap<string, Evaluated>> {
  const found = new Map<string, Evaluated>()
  for (let from = 0; from < asked.ids.length; from += AT_ONCE) {
    const some = await evaluateSome(store, { ...asked, ids: asked.ids.slice(from, from + AT_ONCE) })
    for (const [id, story] of some) found.set(id, story)
  }
  return found
}

async function evaluateSome(store: Store, { namespace, ids, as_of }: StoriesAsked): Promise<[string, Evaluated][]> {
  const wanted = { namespace, ids: [...ids], as_of }
  const [stories, states, rows] = await Promise.all([
    storyMembers(store)(wanted),
    persistedStates(store)(wanted),
    storyReceptions(store)(wanted),
  ])
  const previous = new Map(states.map(({ cluster_id, state }) => [cluster_id, state]))
  const receptions = new Map<string, PlatformReception[]>()
  for (const { cluster_id, ...row } of rows) receptions.set(cluster_id, [...(receptions.get(cluster_id) ?? []), row])

  return stories.map(({ cluster_id, members }) => {
    const received = receptions.get(cluster_id) ?? []
    const facts = { ...coverage(members, as_of, LIFECYCLE), receptions: received }
    const evaluation = { facts, previous: previous.get(cluster_id) ?? null, at: as_of }
    const fired = lifecycle(evaluation, LIFECYCLE)
    return [
      cluster_id,
      {
        state: fired.state,
        reason: reason(fired, evaluation, LIFECYCLE),
        previous: evaluation.previous,
        article_velocity: velocity(members, as_of, VELOCITY_MS),
        has_echo: received.length > 0,
      },
    ]
  })
}
