import { DAY_MS, dayOf } from '../../domain/days.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'
import { groupBy } from '../../domain/group-by.ts'
import {
  lifecycle,
  reason,
  type Evaluation,
  type LifecycleNumbers,
  type StoryFacts,
} from '../../domain/lifecycle/lifecycle.ts'
import type { Store } from '../../ports/store.ts'
import { storyMembers, timesOfWindow } from './members.ts'
import { persistedStates, storyReceptions } from './queries.ts'
import type { AsOf, RowOf } from '../query.ts'
import { originVelocity } from '../../domain/trends/velocity.ts'
import { independent } from '../clusters/as-of.ts'

/** Ids per query, which bounds its memory. */
export const AT_ONCE = 5_000

export interface StoriesQuery extends AsOf {
  readonly ids: readonly string[]
}

/** Some stories, and the thresholds of the lifecycle rules. */
interface EvaluationQuery extends StoriesQuery {
  readonly numbers: LifecycleNumbers
}

/** A story's evaluation as of a point in time; `previous` is the last state persisted up to then. */
export type Evaluated = ReturnType<typeof evaluate>

/**
 * Evaluates the lifecycle rules as of a point in time, from the last persisted state and the facts then. Keyed by story
 * id; stories without a member are omitted.
 */
export const evaluated = async (store: Store, params: EvaluationQuery): Promise<ReadonlyMap<string, Evaluated>> => {
  const { namespace, as_of, ids } = params
  const [stories, known] = await Promise.all([
    storyMembers(store)({ namespace, as_of, ids: [...ids] }),
    statesAndReceptions(store, params),
  ])
  return new Map(stories.map(({ cluster_id: id, members }) => [id, evaluate(members, beforeOf(id, known), params)]))
}

/**
 * The states of many stories, all of them with articles since `from` (milliseconds since 1970). The origins of their
 * articles are read only where the state depends on them.
 */
export async function statesSince(
  store: Store,
  params: EvaluationQuery,
  from: number,
): Promise<ReadonlyMap<string, LifecycleState>> {
  const { namespace, as_of, numbers } = params
  const ids = new Set(params.ids)
  const [inWindow, known] = await Promise.all([
    timesOfWindow(store)({ namespace, from, as_of }),
    statesAndReceptions(store, params),
  ])
  const stories = inWindow.filter(({ cluster_id }) => ids.has(cluster_id))
  const perhapsBreaking = stories.filter(({ times }) => isBreakingByTimes(times, as_of, numbers))
  const origins = await recentOrigins(store, { ...params, ids: perhapsBreaking.map(({ cluster_id }) => cluster_id) })
  return new Map(
    stories.map(({ cluster_id: id, times }) => {
      const { previous, receptions } = beforeOf(id, known)
      const facts = { ...coverage(times, as_of, numbers), recent_origins: origins.get(id) ?? 0, receptions }
      return [id, lifecycle({ facts, previous, at: as_of }, numbers).state]
    }),
  )
}

/** Whether a story is breaking if each of its articles has an origin of its own. */
const isBreakingByTimes = (times: readonly number[], at: number, { breaking }: LifecycleNumbers): boolean =>
  at - minimum(times) < breaking.youngMs && countSince(at - breaking.windowMs, times) >= breaking.origins

/** By story: `Coverage.recent_origins`. */
async function recentOrigins(store: Store, { namespace, ids, as_of, numbers }: EvaluationQuery) {
  const rows = ids.length === 0 ? [] : await storyMembers(store)({ namespace, as_of, ids: [...ids] })
  const since = as_of - numbers.breaking.windowMs
  return new Map(rows.map(({ cluster_id, members }) => [cluster_id, originsSince(since, members)]))
}

async function statesAndReceptions(store: Store, { namespace, ids, as_of }: StoriesQuery) {
  const previous = new Map<string, LifecycleState>()
  const receptions: RowOf<typeof storyReceptions>[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const params = { namespace, as_of, ids: ids.slice(from, from + AT_ONCE) }
    const [states, rows] = await Promise.all([persistedStates(store)(params), storyReceptions(store)(params)])
    for (const { cluster_id, state } of states) previous.set(cluster_id, state)
    receptions.push(...rows)
  }
  return { previous, receptions: groupBy(receptions, ({ cluster_id }) => cluster_id) }
}

const beforeOf = (id: string, { previous, receptions }: Awaited<ReturnType<typeof statesAndReceptions>>) => ({
  previous: previous.get(id) ?? null,
  receptions: receptions.get(id) ?? [],
})

function evaluate(
  members: readonly MemberTuple[],
  { previous, receptions }: Pick<Evaluation, 'previous'> & Pick<StoryFacts, 'receptions'>,
  { as_of, numbers }: EvaluationQuery,
) {
  const times = members.map(([time]) => time)
  const recent_origins = originsSince(as_of - numbers.breaking.windowMs, members)
  const facts = { ...coverage(times, as_of, numbers), recent_origins, receptions }
  const evaluation = { facts, previous, at: as_of }
  const fired = lifecycle(evaluation, numbers)
  return {
    state: fired.state,
    reason: reason(fired, evaluation, numbers),
    previous,
    article_velocity: velocity(members, as_of),
    has_echo: receptions.length > 0,
  }
}

/**
 * An article of a story: milliseconds since 1970, its origin, and the origin that it derives from or an empty string.
 */
type MemberTuple = readonly [number, string, string]

/** The coverage of a story by the event times of its articles. Needs at least one, and none after the point in time. */
function coverage(times: readonly number[], at: number, { developing }: LifecycleNumbers) {
  const days = [...groupBy(times, dayOf).values()]
  return {
    first_published: minimum(times),
    last_published: maximum(times),
    recent_articles: countSince(at - developing.windowMs, times),
    peak_day_articles: maximum(days.map(({ length }) => length)),
  }
}

const countSince = (from: number, times: readonly number[]): number => times.filter((time) => time > from).length

/**
 * Counts the independent sources of the members after a point in time. A derived member counts for the origin it
 * derives from.
 */
export function originsSince(from: number, members: readonly MemberTuple[]): number {
  const roots = rootsOf(members)
  return new Set(members.filter(([time]) => time > from).map(([, origin]) => roots.get(origin))).size
}

/** Rate of new independent sources in the last day before a point in time. */
function velocity(members: readonly MemberTuple[], at: number): number {
  const roots = rootsOf(members)
  const bySource = groupBy(members, ([, origin]) => roots.get(origin))
  const began = [...bySource.values()].map((source) => minimum(source.map(([time]) => time)))
  return originVelocity(began, at, DAY_MS)
}

const rootsOf = (members: readonly MemberTuple[]): ReadonlyMap<string, string> =>
  independent(members.map(([, origin, from_origin]) => ({ origin, from_origin })))

const minimum = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity)
const maximum = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity)
