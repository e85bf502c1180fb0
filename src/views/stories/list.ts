import type { LifecycleState } from '../../events/lifecycle.ts'
import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import {
  listedItems,
  type ListedItem,
  BEFORE_ALL,
  filtersOf,
  openPage,
  Position,
  ranked,
  rankedPage,
  type ClusterListQuery,
  type RankedClustersPlace,
} from '../clusters/list.ts'
import { cursors } from '../cursor.ts'
import { evaluated, evaluatedSince, type Evaluated } from './evaluated-stories.ts'

export interface StoryListQuery extends ClusterListQuery {
  /** Null: stories in any state. Subject pages have none. */
  readonly lifecycle_state: LifecycleState | null
  readonly numbers: LifecycleNumbers
}

/** A subject page has neither state nor velocity: nothing happens to it but that it grows. */
export type StoryItem = ListedItem & {
  readonly lifecycle_state: LifecycleState | null
  readonly lifecycle_reason: { rule: string; values: Record<string, number>; text: string } | null
  readonly article_velocity: number | null
  readonly has_echo: boolean
}

export interface StoryList {
  readonly stories: StoryItem[]
  /** Stories on all pages. */
  readonly total: number
  readonly page: number
  readonly next_cursor: string | null
}

const positions = cursors('stories', Position)
/** As many rows as a question may have: more stories than any window holds. */
const ALL = 200_000

/** A page of stories with news in the window, best first, each with its state at the moment. Throws `InvalidCursor`. */
export async function storyList(store: Store, params: StoryListQuery, model: SummaryModel): Promise<StoryList> {
  const { after, offset, nextCursor } = openPage(positions, params, filtersOf(params, params.lifecycle_state))
  const page = { ...params, as_of: after.as_of, after, offset }

  const found = await (params.lifecycle_state === null
    ? pageOfAll(store, page)
    : pageOfState(store, page, params.lifecycle_state))
  const ids = found.rows.map(({ id }) => id)
  const [items, states] = await Promise.all([listedItems(store, { ...page, ids }, model), found.states()])
  return {
    stories: items.flatMap((item) => withState(item, states.get(item.id))),
    total: found.total,
    page: Math.floor(after.seen / params.limit) + 1,
    next_cursor: nextCursor(found.rows, found.total, (last, seen) => ({ ...last, as_of: after.as_of, seen })),
  }
}

interface StoryListPage extends StoryListQuery {
  readonly after: RankedClustersPlace
  readonly offset: number
}

interface FoundStories {
  readonly rows: readonly RankedClustersPlace[]
  readonly total: number
  /** By id; of the rows at least. */
  readonly states: () => Promise<ReadonlyMap<string, Evaluated>>
}

async function pageOfAll(store: Store, page: StoryListPage): Promise<FoundStories> {
  const { rows, total } = await rankedPage(store, page, page)
  const ids = page.kind === 'subject' ? [] : rows.map(({ id }) => id)
  return { rows, total, states: () => statesOf(store, page, ids) }
}

/** The state is not stored, so that all stories in the window are evaluated before a page of those in one is cut. */
async function pageOfState(store: Store, page: StoryListPage, params: LifecycleState): Promise<FoundStories> {
  const found = await ranked(store, page, { after: BEFORE_ALL, limit: ALL, offset: 0 })
  const { namespace, as_of, numbers } = page
  const filter = { namespace, as_of, numbers, ids: found.map(({ id }) => id) }
  const states = await evaluatedSince(store, filter, as_of - page.window_ms)
  const inState = found
    .map(({ id, rank, second_rank }): RankedClustersPlace => ({ id, rank, second_rank }))
    .filter(({ id }) => states.get(id)?.state === params)
  const rows = inState.filter((row) => follows(row, page.after)).slice(page.offset, page.offset + page.limit)
  return { rows, total: inState.length, states: () => Promise.resolve(states) }
}

const statesOf = async (store: Store, { namespace, as_of, numbers }: StoryListPage, ids: readonly string[]) =>
  ids.length === 0 ? new Map<string, Evaluated>() : evaluated(store, { namespace, as_of, numbers, ids })

/** In the order of the list: by falling ranks, then by id. */
function follows(one: RankedClustersPlace, other: RankedClustersPlace): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank
  if (one.second_rank !== other.second_rank) return one.second_rank < other.second_rank
  return one.id > other.id
}

const STATELESS = { lifecycle_state: null, lifecycle_reason: null, article_velocity: null, has_echo: false }

/** A story that has lost its last member between two queries has no state, and is left out. */
function withState(item: ListedItem, state: Evaluated | undefined): StoryItem[] {
  if (item.kind === 'subject') return [{ ...item, ...STATELESS }]
  return state === undefined ? [] : [{ ...item, ...shown(state) }]
}

const shown = ({ state, reason, article_velocity, has_echo }: Evaluated) => ({
  lifecycle_state: state,
  lifecycle_reason: { ...reason, values: { ...reason.values } },
  article_velocity,
  has_echo,
})
