import { DAY_MS } from '../../domain/days.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'
import { reason, type LifecycleReason } from '../../domain/lifecycle/reason.ts'
import {
  lifecycle,
  type LifecycleNumbers,
  type PlatformReception,
  type Coverage,
} from '../../domain/lifecycle/lifecycle.ts'
import type { Store } from '../../ports/store.ts'
import { persistedStates, storyMembers, storyReceptions, windowMembers } from './queries.ts'
import type { RowOf } from '../query.ts'
import { originVelocity } from '../../domain/trends/velocity.ts'
import { independent } from '../clusters/independent-origins.ts'

/** The window of `article_velocity`. */
const VELOCITY_MS = DAY_MS

/** Ids of one question: they travel in its address. */
const AT_ONCE = 5_000

export interface StoriesQuery {
  readonly namespace: string
  readonly ids: readonly string[]
  /** Milliseconds since 1970. */
  readonly as_of: number
}

/** And by which numbers the rules are applied. */
export interface EvaluationQuery extends StoriesQuery {
  readonly numbers: LifecycleNumbers
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
export const evaluated = async (store: Store, params: EvaluationQuery): Promise<ReadonlyMap<string, Evaluated>> => {
  const { namespace, as_of, ids } = params
  return withStates(store, params, storyMembers(store)({ namespace, as_of, ids: [...ids] }))
}

/** The same of many stories, all with news since `from` (milliseconds since 1970). */
export async function evaluatedSince(
  store: Store,
  params: EvaluationQuery,
  from: number,
): Promise<ReadonlyMap<string, Evaluated>> {
  const { namespace, as_of } = params
  const ids = new Set(params.ids)
  const inWindow = async () => {
    const stories = await windowMembers(store)({ namespace, from, as_of })
    return stories.filter(({ cluster_id }) => ids.has(cluster_id))
  }
  return withStates(store, params, inWindow())
}

async function known(store: Store, { namespace, ids, as_of }: StoriesQuery) {
  const previous = new Map<string, LifecycleState>()
  const receptions = new Map<string, PlatformReception[]>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const params = { namespace, as_of, ids: ids.slice(from, from + AT_ONCE) }
    const [states, rows] = await Promise.all([persistedStates(store)(params), storyReceptions(store)(params)])
    for (const { cluster_id, state } of states) previous.set(cluster_id, state)
    for (const { cluster_id, ...row } of rows) receptions.set(cluster_id, [...(receptions.get(cluster_id) ?? []), row])
  }
  return { previous, receptions }
}

type StoryMemberRow = RowOf<typeof storyMembers>

/** What is known of each story is asked for while its members are. */
async function withStates(
  store: Store,
  params: EvaluationQuery,
  members: Promise<readonly StoryMemberRow[]>,
): Promise<ReadonlyMap<string, Evaluated>> {
  const { as_of, numbers } = params
  const [stories, { previous, receptions }] = await Promise.all([members, known(store, params)])
  return new Map(
    stories.map(({ cluster_id, members }) => {
      const received = receptions.get(cluster_id) ?? []
      const facts = { ...coverage(members, as_of, numbers), receptions: received }
      const evaluation = { facts, previous: previous.get(cluster_id) ?? null, at: as_of }
      const fired = lifecycle(evaluation, numbers)
      return [
        cluster_id,
        {
          state: fired.state,
          reason: reason(fired, evaluation, numbers),
          previous: evaluation.previous,
          article_velocity: velocity(members, as_of, VELOCITY_MS),
          has_echo: received.length > 0,
        },
      ]
    }),
  )
}

/** An article of a story: milliseconds since 1970, its origin, and the origin that stands for that one or an empty string. */
export type MemberTuple = readonly [number, string, string]

/** What newspapers did with a story up to a moment; at least one member, none after the moment. */
export function coverage(members: readonly MemberTuple[], at: number, numbers: LifecycleNumbers): Coverage {
  const times = members.map(([time]) => time)
  const since = (windowMs: number) => members.filter(([time]) => time > at - windowMs)
  const days = times.map((time) => Math.floor(time / DAY_MS))
  const articles = new Map<number, number>()
  for (const day of days) articles.set(day, (articles.get(day) ?? 0) + 1)
  const roots = rootsOf(members)
  return {
    first_published: least(times),
    last_published: most(times),
    recent_origins: new Set(since(numbers.breaking.windowMs).map(([, origin]) => roots.get(origin))).size,
    recent_articles: since(numbers.developing.windowMs).length,
    peak_day_articles: most([...articles.values()]),
  }
}

/** How fast independent sources came in the window before a moment. */
export function velocity(members: readonly MemberTuple[], at: number, windowMs: number): number {
  const roots = rootsOf(members)
  const began = new Map<string, number>()
  for (const [time, origin] of members) {
    const root = roots.get(origin) ?? origin
    began.set(root, Math.min(time, began.get(root) ?? Infinity))
  }
  return originVelocity([...began.values()], at, windowMs)
}

const rootsOf = (members: readonly MemberTuple[]): ReadonlyMap<string, string> =>
  independent(members.map(([, origin, from_origin]) => ({ origin, from_origin })))

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity)

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity)
