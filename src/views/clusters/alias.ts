import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * One row: how many articles belong to a story as of a moment, how many of those there by then ever did, and where that one
 * of them belongs (`heir`, by a word of the moment `heir_since`) which was last said to belong to it.
 */
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
      SELECT
        article_id, argMax((cluster_id, valid_from), _offset) AS belongs,
        maxIf(_offset + 1, cluster_id = {cluster_id: String}) AS last_here
      FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM known)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT
      countIf(belongs.1 = {cluster_id: String}) AS members, countIf(last_here > 0) AS ever,
      argMax(belongs, (last_here, article_id)) AS newest, newest.1 AS heir, newest.2 AS heir_since
    FROM words`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ members: z.number(), ever: z.number(), heir: z.string(), heir_since: z.string() }),
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

/**
 * An id never dies: one whose articles all went into another story stands for that one, and so on; one that has articles
 * again stands for itself. Null: as of the moment it had not come into being.
 *
 * Words hold from the event time of what they are about, so as of a moment a story may be empty by words that came after
 * those which emptied it: then it stands for the story in which the last of its articles is.
 */
export async function surviving(store: Store, asked: StoryAsked): Promise<Surviving | null> {
  const path: Path = { seen: new Set(), heir: null, merged_at: null }
  let next: string | null = asked.cluster_id
  while (next !== null && !path.seen.has(next)) {
    const cluster_id: string = next
    const standing = await standingOf(store, { ...asked, cluster_id })
    if (standing.found.members > 0) return { cluster_id, merged_at: path.merged_at }
    next = goOn(path, cluster_id, standing)
  }
  return null
}

/** The way from an empty story to one that is not. */
interface Path {
  readonly seen: Set<string>
  /** Where the articles of a story on the way are. */
  heir: string | null
  merged_at: string | null
}

function goOn(path: Path, cluster_id: string, { found, left }: Awaited<ReturnType<typeof standingOf>>): string | null {
  path.seen.add(cluster_id)
  if (found.ever === 0) return path.heir
  path.heir = found.heir
  path.merged_at ??= left?.at ?? found.heir_since
  return left === undefined || path.seen.has(left.cluster_id) ? found.heir : left.cluster_id
}

async function standingOf(store: Store, asked: StoryAsked) {
  const [[found], [left]] = await Promise.all([standing(store)(asked), lastLeft(store)(asked)])
  if (found === undefined) throw new Error(`Nothing was counted of ${asked.cluster_id}`)
  return { found, left }
}
