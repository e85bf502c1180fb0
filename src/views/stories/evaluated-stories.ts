import { DAY_MS, dayOf } from '../../domain/days.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'
import { groupBy } from '../../domain/group-by.ts'
import {
  lifecycle,
  reason,
  type Coverage,
  type Evaluation,
  type LifecycleNumbers,
  type StoryFacts,
} from '../../domain/lifecycle/lifecycle.ts'
import type { Store } from '../../ports/store.ts'
import { storyMembers, windowMembers, type membersOfFacts } from './members.ts'
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
  return withStates(store, params, storyMembers(store)({ namespace, as_of, ids: [...ids] }))
}

/** `evaluated` for many stories, all of them with articles since `from` (milliseconds since 1970). */
export async function evaluatedSince(
  store: Store,
  params: EvaluationQuery,
  from: number,
): Promise<ReadonlyMap<string, Evaluated>> {
  const { namespace, as_of } = params
  const ids = new Set(params.ids)
  const inWindow = async () => {
    const stories = await windowMembers(store, { namespace, from, as_of })
    return stories.filter(({ cluster_id }) => ids.has(cluster_id))
  }
  return withStates(store, params, inWindow())
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

type StoryMemberRow = RowOf<typeof membersOfFacts>

/** Reads the states and receptions while the members are read. */
async function withStates(
  store: Store,
  params: EvaluationQuery,
  members: Promise<readonly StoryMemberRow[]>,
): Promise<ReadonlyMap<string, Evaluated>> {
  const [stories, { previous, receptions }] = await Promise.all([members, statesAndReceptions(store, params)])
  return new Map(
    stories.map(({ cluster_id, members }) => {
      const before = { previous: previous.get(cluster_id) ?? null, receptions: receptions.get(cluster_id) ?? [] }
      return [cluster_id, evaluate(members, before, params)]
    }),
  )
}

function evaluate(
  members: readonly MemberTuple[],
  { previous, receptions }: Pick<Evaluation, 'previous'> & Pick<StoryFacts, 'receptions'>,
  { as_of, numbers }: EvaluationQuery,
) {
  const facts = { ...coverage(members, as_of, numbers), receptions }
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

/** The coverage of a story up to a point in time. Needs at least one member, and none after the point in time. */
function coverage(members: readonly MemberTuple[], at: number, numbers: LifecycleNumbers): Coverage {
  const times = members.map(([time]) => time)
  const days = [...groupBy(times, dayOf).values()]
  return {
    first_published: minimum(times),
    last_published: maximum(times),
    recent_origins: originsSince(at - numbers.breaking.windowMs, members),
    recent_articles: times.filter((time) => time > at - numbers.developing.windowMs).length,
    peak_day_articles: maximum(days.map(({ length }) => length)),
  }
}

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
