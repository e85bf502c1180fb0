import type { LifecycleState } from '../../events/lifecycle.ts'
import type { LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import {
  listedItems,
  type ListedItem,
  filtersOf,
  openPage,
  Position,
  rankedPage,
  type ClusterListQuery,
} from '../clusters/list.ts'
import { cursors } from '../cursor.ts'
import { evaluated, type Evaluated } from './evaluated-stories.ts'
import { pageInState, type StoryListPage } from './state-page.ts'

interface StoryListQuery extends ClusterListQuery {
  /** `null` for stories in any state. Subject pages have none. */
  readonly lifecycle_state: LifecycleState | null
  readonly numbers: LifecycleNumbers
}

const positions = cursors('stories', Position)

/**
 * A page of stories with articles in the window, best first, each with its state as of the point in time. Throws
 * `InvalidCursor`.
 */
export async function storyList(store: Store, params: StoryListQuery, model: SummaryModel) {
  const { after, offset, nextCursor } = openPage(positions, params, filtersOf(params, params.lifecycle_state))
  const page = { ...params, as_of: after.as_of, after, offset }

  const { rows, total } = await (params.lifecycle_state === null
    ? rankedPage(store, page, page)
    : pageInState(store, page, params.lifecycle_state))
  const ids = rows.map(({ id }) => id)
  const [items, stories] = await Promise.all([listedItems(store, { ...page, ids }, model), statesOf(store, page, ids)])
  return {
    stories: items.flatMap((item) => withState(item, stories.get(item.id))),
    total,
    page: Math.floor(after.seen / params.limit) + 1,
    next_cursor: nextCursor(rows, total, (last, seen) => ({ ...last, as_of: after.as_of, seen })),
  }
}

/** With those of a list of one state: a fact that arrives meanwhile may change one of them. */
const statesOf = async (store: Store, page: StoryListPage, ids: readonly string[]) =>
  page.kind === 'subject' || ids.length === 0 ? new Map<string, Evaluated>() : evaluated(store, { ...page, ids })

interface ListedState {
  readonly lifecycle_state: LifecycleState | null
  readonly lifecycle_reason: Evaluated['reason'] | null
  readonly article_velocity: number | null
  readonly has_echo: boolean
}

/** A subject page only grows, so it has neither state nor velocity. */
const STATELESS: ListedState = {
  lifecycle_state: null,
  lifecycle_reason: null,
  article_velocity: null,
  has_echo: false,
}

/** A story that lost its last member between two queries has no state and is omitted. */
function withState(item: ListedItem, story: Evaluated | undefined): (ListedItem & ListedState)[] {
  if (item.kind === 'subject') return [{ ...item, ...STATELESS }]
  if (story === undefined) return []
  const { state: lifecycle_state, reason: lifecycle_reason, article_velocity, has_echo } = story
  return [{ ...item, lifecycle_state, lifecycle_reason, article_velocity, has_echo }]
}
