import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** One row: how many articles belong to a story as of a moment, and how many of those there by then ever did. */
const standing = query({
  name: 'clusters.standing',
  sql: `
    WITH concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id = {cluster_id: String}
    ),
    known AS (
      SELECT article_id FROM members
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM concerned)
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    words AS (
      SELECT article_id, argMax(cluster_id, _offset) AS belongs_to, max(cluster_id = {cluster_id: String}) AS ever
      FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM known)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT countIf(belongs_to = {cluster_id: String}) AS members, countIf(ever) AS ever FROM words`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ members: z.number(), ever: z.number() }),
})

/** At most one row: where articles of a story went when some last left it, as of a moment. */
const lastLeft = query({
  name: 'clusters.last_left',
  sql: `
    SELECT cluster_id, occurred_at AS at
    FROM story_changes FINAL
    WHERE namespace = {namespace: String} AND from_cluster_id = {cluster_id: String}
      AND notEmpty(article_ids) AND refused IS NULL
      AND (occurred_at <= {as_of: DateTime64(3, 'UTC')} OR action = 'corrected')
    ORDER BY _offset DESC
    LIMIT 1`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ cluster_id: z.string(), at: z.string() }),
})

export interface StoryAsked {
  readonly namespace: string
  readonly cluster_id: string
  /** Milliseconds since 1970. */
  readonly as_of: number
}

/** The story that an id stands for as of a moment. */
export interface Surviving {
  readonly cluster_id: string
  /** Null: it is the story that was asked for. Else when that one went into another (not perhaps into this one). */
  readonly merged_at: string | null
}

/** More stories than ever went one into the other; ends a search that would go in a circle. */
const MAX_HOPS = 100

/**
 * An id never dies: one whose articles all went into another story stands for that one, and so on; one that has articles
 * again stands for itself. Null: as of the moment it had not come into being.
 */
export async function surviving(store: Store, asked: StoryAsked): Promise<Surviving | null> {
  let at: string | null = null
  let { cluster_id } = asked
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const wanted = { ...asked, cluster_id }
    const [[found], [left]] = await Promise.all([standing(store)(wanted), lastLeft(store)(wanted)])
    if (found === undefined || found.ever === 0) return null
    if (found.members > 0) return { cluster_id, merged_at: at }
    if (left === undefined) return null
    at ??= left.at
    cluster_id = left.cluster_id
  }
  return null
}
