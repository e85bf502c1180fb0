import { z } from 'zod'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import type { Store } from '../../ports/store.ts'
import { cursorFields, cursors } from '../cursor.ts'
import { moment, NOW_AND_LATER } from '../instant.ts'
import { query, type RowOf } from '../query.ts'

/**
 * Matches of a monitor before a position, newest first. A story matches once per version of the conditions; digests,
 * which repeat matches, are left out.
 */
const matchesOf = query({
  name: 'monitors.matches',
  sql: `
    SELECT
      event_id AS id, cluster_id AS story_id, title, url, source, article_ids, article_count, origin_count,
      lifecycle_state, velocity, sentiment_score, conditions_version, occurred_at AS matched_at
    FROM matches FINAL
    WHERE namespace = {namespace: String} AND monitor_id = {monitor_id: String} AND type = 'monitor.matched'
      AND (occurred_at, event_id) < ({before: DateTime64(3, 'UTC')}, {before_id: String})
    ORDER BY occurred_at DESC, event_id DESC
    LIMIT {limit: UInt32}`,
  params: z.object({ monitor_id: z.string(), before: moment, before_id: z.string(), limit: z.int() }),
  row: z.object({
    id: z.string(),
    story_id: z.string(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    source: z.string().nullable(),
    article_ids: z.array(z.string()),
    article_count: z.number(),
    origin_count: z.number(),
    lifecycle_state: z.enum(LIFECYCLE_STATES).nullable(),
    velocity: z.number(),
    sentiment_score: z.number(),
    conditions_version: z.number(),
    matched_at: z.string(),
  }),
})

export type MatchRow = RowOf<typeof matchesOf>

interface MatchListQuery {
  readonly namespace: string
  readonly monitor_id: string
  readonly cursor: string | undefined
  readonly limit: number
}

/** The end of a page: time of the match in milliseconds since 1970, and its id. */
const positions = cursors('matches', z.object({ at: cursorFields.moment, id: z.string() }))
const BEFORE_ALL = { at: NOW_AND_LATER, id: '' }

/** A page of the matches of a monitor, newest first. Throws `InvalidCursor`. */
export async function matchList(store: Store, { namespace, monitor_id, cursor, limit }: MatchListQuery) {
  const filters = [namespace, monitor_id]
  const { at: before, id: before_id } = positions.begin(cursor, filters, BEFORE_ALL)
  const found = await matchesOf(store)({ namespace, monitor_id, before, before_id, limit: limit + 1 })
  const matches = found.slice(0, limit)
  const last = found.length > limit ? matches.at(-1) : undefined
  return {
    matches,
    next_cursor: last === undefined ? null : positions.write({ at: Date.parse(last.matched_at), id: last.id }, filters),
  }
}
