import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { countedPage, cursorFields, cursors, type ListQuery } from '../cursor.ts'
import { ALWAYS } from '../instant.ts'
import { entityPage, type EntityPage } from './page.ts'
import { entityItems } from './page-items.ts'

/** The window ends at `as_of`. */
export interface EntityListQuery extends ListQuery {
  /** `null` for no start. */
  readonly window_ms: number | null
  /** Part of a name; `null` for any. */
  readonly query: string | null
  readonly types: readonly string[]
  readonly min_mentions: number
  /** Ignored if there is a cursor. */
  readonly offset: number
  /** Maximum number of article ids per item, newest first; `article_count` is not limited. */
  readonly max_article_ids: number
}

const EntityListPosition = z.object({
  as_of: cursorFields.moment,
  mention_count: cursorFields.count,
  id: z.string(),
  /** Number of entities up to and including this one. */
  seen: cursorFields.count,
})
type EntityListPosition = z.output<typeof EntityListPosition>

const positions = cursors('entities', EntityListPosition)
const BEFORE_ALL = { mention_count: Number.MAX_SAFE_INTEGER, id: '' }

/**
 * A page of entities mentioned in the window, most mentioned first; `total` counts all pages. Throws `InvalidCursor`.
 */
export async function listEntities(store: Store, params: EntityListQuery) {
  const { cursor, as_of, limit } = params
  const start = { ...BEFORE_ALL, as_of, seen: params.offset }
  const { after, offset, nextCursor } = countedPage(positions, { cursor, filters: filtersOf(params), start })
  const ask = pageAsker(store, params, after.as_of)

  const page = await ask({ after, limit, offset })
  const { rows } = page
  const total = totalOf(rows) ?? totalOf((await ask({ after: BEFORE_ALL, limit: 1, offset: 0 })).rows) ?? 0
  return {
    entities: await itemsOf({ ...params, as_of: after.as_of }, page),
    total,
    next_cursor: nextCursor(rows, total, ({ entity_id: id, mention_count }, seen) => ({
      as_of: after.as_of,
      mention_count,
      id,
      seen,
    })),
  }
}

const totalOf = (rows: readonly { readonly total: number }[]): number | undefined => rows[0]?.total

/** The parameters that must not change between pages: all but `limit`. */
const filtersOf = ({ namespace, window_ms, query, types, min_mentions, as_of_given, as_of }: EntityListQuery) => [
  namespace,
  window_ms,
  query,
  types,
  min_mentions,
  as_of_given ? as_of : null,
]

const fromOf = (as_of: number, window_ms: number | null): number => (window_ms === null ? ALWAYS : as_of - window_ms)

interface EntityListPage {
  readonly after: Pick<EntityListPosition, 'mention_count' | 'id'>
  readonly limit: number
  readonly offset: number
}

const pageAsker =
  (store: Store, { namespace, window_ms, types, query, min_mentions }: EntityListQuery, as_of: number) =>
  ({ after, limit, offset }: EntityListPage) =>
    entityPage(store, {
      namespace,
      as_of,
      min_mentions,
      limit,
      offset,
      from: fromOf(as_of, window_ms),
      types: [...types],
      query: query ?? '',
      after_count: after.mention_count,
      after_id: after.id,
    })

async function itemsOf(
  { namespace, as_of, window_ms, max_article_ids: max_articles }: EntityListQuery,
  page: EntityPage,
) {
  const { rows } = page
  if (rows.length === 0) return []
  const items = await entityItems({ namespace, as_of, from: fromOf(as_of, window_ms), max_articles }, page)
  const named = new Map(items.map((item) => [item.entity_id, item]))
  return rows.flatMap(({ entity_id: id, mention_count, article_count }) => {
    const item = named.get(id)
    if (item === undefined) return []
    const { entity_name: name, entity_type: type, first_seen, last_seen, article_ids } = item
    return [{ id, name, type, mention_count, article_count, first_seen, last_seen, article_ids }]
  })
}
