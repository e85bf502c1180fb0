import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { cursors } from '../cursor.ts'
import { ALWAYS } from '../instant.ts'
import { entityList } from './queries.ts'

export interface EntitiesWanted {
  readonly namespace: string
  /** Milliseconds since 1970; the window ends there. */
  readonly as_of: number
  /** False: it is the moment of asking. */
  readonly as_of_given: boolean
  /** Null: all time. */
  readonly window_ms: number | null
  readonly query: string | null
  readonly types: readonly string[]
  readonly min_mentions: number
  readonly limit: number
  readonly cursor: string | undefined
}

export interface EntityItem {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly mention_count: number
  readonly article_count: number
  readonly first_seen: string
  readonly last_seen: string
  readonly article_ids: string[]
}

export interface EntityList {
  readonly entities: EntityItem[]
  /** Entities on all pages. */
  readonly total: number
  readonly next_cursor: string | null
}

/** `article_ids` ends here, newest first; `article_count` is always whole. */
export const MAX_ARTICLE_IDS = 1_000

const Position = z.object({
  as_of: z.number(),
  mention_count: z.number(),
  id: z.string(),
  seen: z.int(),
  total: z.int(),
})
const positions = cursors('entities', Position)
const BEFORE_ALL = { mention_count: Number.MAX_SAFE_INTEGER, id: '', seen: 0, total: 0 }

/** A page of entities named in the window, most mentioned first. Throws `InvalidCursor`. */
export async function listEntities(store: Store, wanted: EntitiesWanted): Promise<EntityList> {
  const { namespace, window_ms, query, types, min_mentions } = wanted
  const filters = [namespace, window_ms, query, types, min_mentions, wanted.as_of_given ? wanted.as_of : null]
  const after = positions.begin(wanted.cursor, filters, { ...BEFORE_ALL, as_of: wanted.as_of })

  const rows = await entityList(store)({
    ...{ namespace, min_mentions, as_of: after.as_of, limit: wanted.limit, offset: 0 },
    from: window_ms === null ? ALWAYS : after.as_of - window_ms,
    types: [...types],
    query: query ?? '',
    max_articles: MAX_ARTICLE_IDS,
    after_count: after.mention_count,
    after_id: after.id,
  })
  const last = rows.at(-1)
  const total = last === undefined ? after.total : last.total
  const seen = after.seen + rows.length
  const next = last === undefined || seen >= total ? null : { ...last, id: last.entity_id, as_of: after.as_of, seen }
  return {
    entities: rows.map(item),
    total,
    next_cursor: next === null ? null : positions.write(Position.parse(next), filters),
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof entityList>>>[number]

const item = ({ name, type, mention_count, article_count, first_seen, last_seen, ...row }: Row): EntityItem => ({
  id: row.entity_id,
  ...{ name, type, mention_count, article_count, first_seen, last_seen },
  article_ids: row.article_ids,
})
