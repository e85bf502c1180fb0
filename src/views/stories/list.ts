import { z } from 'zod'
import type { LifecycleState } from '../../events/lifecycle.ts'
import type { LifecycleNumbers } from '../../events/lifecycle-rules.ts'
import type { Store } from '../../ports/store.ts'
import { clusterItem, PRIMARY_ENTITIES, type ClusterItem } from '../clusters/item.ts'
import { clusterItems } from '../clusters/items.ts'
import { certaintyOf, type ClustersWanted } from '../clusters/list.ts'
import { clusterPage } from '../clusters/queries.ts'
import { cursorFields, cursors } from '../cursor.ts'
import { evaluated, evaluatedSince, type Evaluated } from './evaluated.ts'

export interface StoriesWanted extends Omit<ClustersWanted, 'kind'> {
  /** Null: stories in any state. */
  readonly lifecycle_state: LifecycleState | null
  readonly numbers: LifecycleNumbers
}

export interface StoryItem extends ClusterItem {
  readonly lifecycle_state: LifecycleState
  readonly lifecycle_reason: { rule: string; values: Record<string, number>; text: string }
  readonly article_velocity: number
  readonly has_echo: boolean
}

export interface StoryList {
  readonly stories: StoryItem[]
  /** Stories on all pages. */
  readonly total: number
  readonly page: number
  readonly next_cursor: string | null
}

/** Where a page ended. `as_of` travels along, so that all pages are of one moment. */
const Position = z.object({
  as_of: cursorFields.moment,
  rank: z.number(),
  second_rank: z.number(),
  id: z.string(),
  /** Stories up to and with this one. */
  seen: cursorFields.count,
})
type Position = z.output<typeof Position>
type Place = Pick<Position, 'rank' | 'second_rank' | 'id'>

const positions = cursors('stories', Position)
const BEFORE_ALL: Place = { rank: Number.MAX_VALUE, second_rank: 0, id: '' }
/** As many rows as a question may have: more stories than any window holds. */
const ALL = 200_000

/** A page of stories with news in the window, best first, each with its state at the moment. Throws `InvalidCursor`. */
export async function storyList(store: Store, wanted: StoriesWanted): Promise<StoryList> {
  const { limit, cursor } = wanted
  const filters = filtersOf(wanted)
  const skipped = (wanted.page - 1) * limit
  const after = positions.begin(cursor, filters, { ...BEFORE_ALL, as_of: wanted.as_of, seen: skipped })
  const page = { ...wanted, as_of: after.as_of, after, offset: cursor === undefined ? skipped : 0 }

  const found = await (wanted.lifecycle_state === null
    ? pageOfAll(store, page)
    : pageOfState(store, page, wanted.lifecycle_state))
  const seen = after.seen + found.rows.length
  const last = found.rows.at(-1)
  const next = last === undefined || seen >= found.total ? null : { ...last, as_of: after.as_of, seen }
  return {
    stories: await itemsOf(store, page, found),
    total: found.total,
    page: Math.floor(after.seen / limit) + 1,
    next_cursor: next === null ? null : positions.write(next, filters),
  }
}

/** A cursor goes on with the question it came from; only `limit` may change on the way. */
const filtersOf = ({ as_of_given, as_of, ...wanted }: StoriesWanted) => [
  ...[wanted.namespace, wanted.window_ms, wanted.topic, wanted.min_sources, wanted.min_articles, wanted.sort],
  wanted.lifecycle_state,
  as_of_given ? as_of : null,
  ...certaintyOf(wanted),
]

interface Page extends StoriesWanted {
  readonly after: Place
  readonly offset: number
}

interface Found {
  readonly rows: readonly Place[]
  readonly total: number
  /** By id; of the rows at least. */
  readonly states: () => Promise<ReadonlyMap<string, Evaluated>>
}

async function pageOfAll(store: Store, page: Page): Promise<Found> {
  const found = await ranked(store, page)
  const rows = found.map(placeOf)
  const [one] = found.length > 0 ? found : await ranked(store, { ...page, after: BEFORE_ALL, limit: 1, offset: 0 })
  const ids = rows.map(({ id }) => id)
  return { rows, total: one?.total ?? 0, states: async () => await statesOf(store, page, ids) }
}

/** The state is not stored, so that all stories in the window are evaluated before a page of those in one is cut. */
async function pageOfState(store: Store, page: Page, wanted: LifecycleState): Promise<Found> {
  const found = await ranked(store, { ...page, after: BEFORE_ALL, limit: ALL, offset: 0 })
  const { namespace, as_of, numbers } = page
  const asked = { namespace, as_of, numbers, ids: found.map(({ cluster_id }) => cluster_id) }
  const states = await evaluatedSince(store, asked, as_of - page.window_ms)
  const inState = found.map(placeOf).filter(({ id }) => states.get(id)?.state === wanted)
  const rows = inState.filter((row) => follows(row, page.after)).slice(page.offset, page.offset + page.limit)
  return { rows, total: inState.length, states: async () => await Promise.resolve(states) }
}

const statesOf = async (store: Store, { namespace, as_of, numbers }: Page, ids: readonly string[]) =>
  ids.length === 0 ? new Map<string, Evaluated>() : await evaluated(store, { namespace, as_of, numbers, ids })

const placeOf = ({
  cluster_id,
  rank,
  second_rank,
}: {
  cluster_id: string
  rank: number
  second_rank: number
}): Place => ({
  id: cluster_id,
  rank,
  second_rank,
})

/** In the order of the list: by falling ranks, then by id. */
function follows(one: Place, other: Place): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank
  if (one.second_rank !== other.second_rank) return one.second_rank < other.second_rank
  return one.id > other.id
}

const ranked = async (store: Store, page: Page) =>
  await clusterPage(store)({
    namespace: page.namespace,
    from: page.as_of - page.window_ms,
    as_of: page.as_of,
    words: page.topic?.split(/\s+/).filter((word) => word !== '') ?? [],
    min_sources: page.min_sources,
    min_articles: page.min_articles,
    min_assignment_confidence: page.min_assignment_confidence,
    membership: page.membership ?? '',
    sort: page.sort,
    after_rank: page.after.rank,
    after_second_rank: page.after.second_rank,
    after_id: page.after.id,
    limit: page.limit,
    offset: page.offset,
  })

async function itemsOf(
  store: Store,
  { namespace, as_of }: Page,
  { rows, states }: Pick<Found, 'rows' | 'states'>,
): Promise<StoryItem[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const [found, stories] = await Promise.all([
    clusterItems(store)({ namespace, ids, as_of, max_entities: PRIMARY_ENTITIES }),
    states(),
  ])
  const items = new Map(found.map((row) => [row.cluster_id, clusterItem(row)]))
  return ids.flatMap((id) => {
    const [item, story] = [items.get(id), stories.get(id)]
    return item === undefined || story === undefined ? [] : [{ ...item, ...shown(story) }]
  })
}

const shown = ({ state, reason, article_velocity, has_echo }: Evaluated) => ({
  lifecycle_state: state,
  lifecycle_reason: { ...reason, values: { ...reason.values } },
  article_velocity,
  has_echo,
})
