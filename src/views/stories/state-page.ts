import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import type { LifecycleState } from '../../events/lifecycle.ts'
import type { Store } from '../../ports/store.ts'
import {
  BEFORE_ALL,
  ranked,
  rankedPage,
  type ClusterListQuery,
  type RankedFilter,
  type RankPosition,
} from '../clusters/list.ts'
import { AT_ONCE, evaluated, statesSince } from './evaluated-stories.ts'
import { storiesWithEcho } from './queries.ts'

export interface StoryListPage extends ClusterListQuery {
  readonly numbers: LifecycleNumbers
  readonly after: RankPosition
  readonly offset: number
}

interface StatePage {
  readonly rows: readonly RankPosition[]
  readonly total: number
}

/**
 * A page of the stories in a state. States at a point in time are not stored, so the stories that the rules allow to be
 * in this state are evaluated: those with a recent article, or with a recent reception. All others are concluded.
 */
export function pageInState(store: Store, page: StoryListPage, state: LifecycleState): Promise<StatePage> {
  if (state === 'contested') return pageOfContested(store, page)
  return state === 'concluded' ? pageOfConcluded(store, page) : pageOfRecent(store, page, state)
}

async function pageOfContested(store: Store, page: StoryListPage): Promise<StatePage> {
  const only = await contestedStories(store, page)
  if (only === null) return pageOfWindow(store, page, 'contested')
  return only.length === 0 ? { rows: [], total: 0 } : pageOfFiltered(store, page, { only })
}

async function pageOfConcluded(store: Store, page: StoryListPage): Promise<StatePage> {
  const { breaking, developing, mature } = page.numbers
  const isDecidedByMature = mature.youngMs >= Math.max(breaking.youngMs, developing.youngMs)
  const except = isDecidedByMature ? await contestedStories(store, page) : null
  if (except === null) return pageOfWindow(store, page, 'concluded')
  return pageOfFiltered(store, page, { last_until: page.as_of - mature.youngMs, except })
}

const pageOfFiltered = (store: Store, page: StoryListPage, filter: RankedFilter): Promise<StatePage> =>
  rankedPage(store, page, { ...page, filter })

/** In the other states, the last article is younger than the rule of the state says. */
const pageOfRecent = (store: Store, page: StoryListPage, state: 'breaking' | 'developing' | 'mature') =>
  pageOfEvaluated(store, page, { state, since: page.as_of - Math.min(page.window_ms, page.numbers[state].youngMs) })

/** Evaluates all stories of the window. */
const pageOfWindow = (store: Store, page: StoryListPage, state: LifecycleState) =>
  pageOfEvaluated(store, page, { state, since: page.as_of - page.window_ms })

/** More rows than the store returns, so that a longer list is refused, not cut off. */
const ALL = 500_000

interface RecentStories {
  readonly state: LifecycleState
  /** Stories with an article since then are evaluated; milliseconds since 1970. */
  readonly since: number
}

async function pageOfEvaluated(store: Store, page: StoryListPage, { state, since }: RecentStories): Promise<StatePage> {
  const found = await ranked(store, page, { after: BEFORE_ALL, limit: ALL, offset: 0, filter: { last_after: since } })
  const states = await statesSince(store, { ...page, ids: found.map(({ id }) => id) }, since)
  const inState = found
    .map(({ id, rank, second_rank }): RankPosition => ({ id, rank, second_rank }))
    .filter(({ id }) => states.get(id) === state)
  const rows = inState.filter((row) => follows(row, page.after)).slice(page.offset, page.offset + page.limit)
  return { rows, total: inState.length }
}

/** Whether a position comes after another in the list: by descending ranks, then by id. */
function follows(one: RankPosition, other: RankPosition): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank
  if (one.second_rank !== other.second_rank) return one.second_rank < other.second_rank
  return one.id > other.id
}

/** The contested stories as of a point in time; `null` if too many stories have a recent reception. */
async function contestedStories(store: Store, page: StoryListPage): Promise<string[] | null> {
  const { namespace, as_of, numbers } = page
  const since = as_of - numbers.contested.freshMs
  const found = await storiesWithEcho(store)({ namespace, as_of, since, limit: AT_ONCE + 1 })
  if (found.length > AT_ONCE) return null
  if (found.length === 0) return []
  const stories = await evaluated(store, { namespace, as_of, numbers, ids: found.map(({ cluster_id }) => cluster_id) })
  return [...stories].flatMap(([id, { state }]) => (state === 'contested' ? [id] : []))
}
