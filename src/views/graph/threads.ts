import { z } from 'zod'
import { GRAPH } from '../../domain/graph/rules.ts'
import type { Store } from '../../ports/store.ts'
import { titleOf } from '../clusters/item.ts'
import { clusterItems } from '../clusters/items.ts'
import { countedPage, cursorFields, cursors, type ListQuery } from '../cursor.ts'
import { threadEntities, threadOrigins, threadPage } from './thread-queries.ts'
import { turningPoints } from './turning-points.ts'
import type { AsOf, RowOf } from '../query.ts'

interface ThreadListQuery extends ListQuery {
  /** `null` for any. */
  readonly status: ThreadsRow['status'] | null
  /** Ignored if there is a cursor. */
  readonly offset: number
}

/** The end of a page. It carries `as_of`, so that all pages show the same point in time. */
const ThreadsPosition = z.object({
  as_of: cursorFields.moment,
  importance: z.number(),
  id: z.string(),
  /** Number of threads up to and including this one. */
  seen: cursorFields.count,
})
type ThreadsPosition = z.output<typeof ThreadsPosition>

const positions = cursors('threads', ThreadsPosition)
const BEFORE_ALL = { importance: Number.MAX_VALUE, id: '' }

/**
 * A page of threads as of a point in time, the most important first; `total` counts all pages. Throws `InvalidCursor`.
 */
export async function threadList(store: Store, params: ThreadListQuery) {
  const { limit, cursor, as_of } = params
  const filters = [params.namespace, params.status, params.as_of_given ? as_of : null]
  const start = { ...BEFORE_ALL, as_of, seen: params.offset }
  const { after, offset, nextCursor } = countedPage(positions, { cursor, filters, start })
  const filter = { namespace: params.namespace, as_of: after.as_of, status: params.status, id: null }

  const found = await pageOf(store, { ...filter, after, limit, offset })
  const total = found[0]?.total ?? 0
  const rows = found.filter(({ shown }) => shown)
  return {
    threads: await shownOf(store, filter, rows),
    total,
    next_cursor: nextCursor(rows, total, ({ importance_score: importance, thread_id: id }, seen) => ({
      as_of: after.as_of,
      importance,
      id,
      seen,
    })),
  }
}

/** One thread with its stories in chronological order; `null` if there is no such thread as of the point in time. */
export async function threadDetail(store: Store, { id, ...params }: AsOf & { readonly id: string }) {
  const rows = await pageOf(store, { ...params, id, status: null, after: BEFORE_ALL, limit: 1, offset: 0 })
  const [thread] = await shownOf(store, params, rows)
  return thread === undefined ? null : { ...thread, chapters: await chaptersOf(store, params, thread.cluster_ids) }
}

/** Entities read per chapter, to find those that are new in a thread. */
const CHAPTER_ENTITIES = 20

/** The stories of a thread; `cluster_ids` are in chronological order. */
async function chaptersOf(store: Store, params: AsOf, cluster_ids: readonly string[]) {
  const found = { ...params, ids: [...cluster_ids], max_entities: CHAPTER_ENTITIES }
  const items = await clusterItems(store)(found)
  const byId = new Map(items.map((item) => [item.cluster_id, item]))
  const stories = cluster_ids.flatMap((id) => byId.get(id) ?? [])
  const reasons = turningPoints(stories)
  return stories.map((story, i) => {
    const why = reasons[i] ?? null
    return {
      cluster_id: story.cluster_id,
      title: titleOf(story),
      first_seen: story.created_at,
      article_count: story.article_count,
      turning_point: why !== null,
      why,
    }
  })
}

interface ThreadsPage extends AsOf {
  /** `null` for any. */
  readonly id: string | null
  readonly status: ThreadsRow['status'] | null
  readonly after: Pick<ThreadsPosition, 'importance' | 'id'>
  readonly limit: number
  readonly offset: number
}

type ThreadsRow = RowOf<typeof threadPage>

const pageOf = (store: Store, { id, status, after, ...page }: ThreadsPage): Promise<readonly ThreadsRow[]> =>
  threadPage(store)({
    ...page,
    id: id ?? '',
    status: status ?? '',
    least: GRAPH.thread.leastStories,
    shown: GRAPH.thread.shown,
    active_ms: GRAPH.thread.activeMs,
    concluded_ms: GRAPH.thread.concludedMs,
    after_importance: after.importance,
    after_id: after.id,
  })

const TOP_ENTITIES = 10

async function shownOf(store: Store, { namespace, as_of }: AsOf, rows: readonly ThreadsRow[]) {
  if (rows.length === 0) return []
  const threads = rows.map(({ thread_id }) => thread_id)
  const [leads, entities] = await Promise.all([
    leadsOf(store, { namespace, as_of, threads }),
    threadEntities(store)({ namespace, as_of, threads, limit: TOP_ENTITIES }),
  ])
  return rows.map((row) => ({
    id: row.thread_id,
    title: leads.get(row.thread_id)?.title ?? '',
    cluster_ids: row.cluster_ids,
    cluster_count: row.clusters,
    importance_score: row.importance_score,
    confidence_score: row.confidence_score,
    status: row.status,
    first_seen: row.first_seen,
    last_updated: row.last_updated,
    top_entities: entities
      .filter(({ thread_id }) => thread_id === row.thread_id)
      .map(({ id, name, type, cluster_count }) => ({ id, name, type, cluster_count })),
    origin_count: leads.get(row.thread_id)?.origins ?? 0,
    publisher_count: row.publishers,
    country_count: row.countries,
  }))
}

/** By thread: its number of independent sources, and the title of its leading story. */
async function leadsOf(store: Store, { namespace, as_of, threads }: AsOf & { readonly threads: string[] }) {
  const origins = await threadOrigins(store)({ namespace, as_of, threads })
  const titles = await clusterItems(store)({ namespace, as_of, ids: origins.map(({ lead }) => lead), max_entities: 3 })
  const titled = new Map(titles.map((story) => [story.cluster_id, titleOf(story)]))
  return new Map(origins.map((one) => [one.thread_id, { origins: one.all_origins, title: titled.get(one.lead) ?? '' }]))
}
