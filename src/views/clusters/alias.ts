import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/**
 * `words`: the articles that are there as of a moment and were ever said to belong to a story, with the newest word on each
 * (`belongs`: story, and from when on) and the place in the log after the last one that named this story, 0 where none did.
 */
const WORDS = `
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
    )`

/** One row: how many articles belong to a story as of a moment, and how many of those there by then ever did. */
const standing = query({
  name: 'clusters.standing',
  sql: `
    ${WORDS}
    SELECT countIf(belongs.1 = {cluster_id: String}) AS members, countIf(last_here > 0) AS ever FROM words`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ members: z.number(), ever: z.number() }),
})

/** At most one row: where that article belongs which was last said to belong to a story, as of a moment. */
const heir = query({
  name: 'clusters.heir',
  sql: `
    ${WORDS}
    SELECT belongs.1 AS cluster_id, belongs.2 AS at
    FROM words
    WHERE last_here > 0
    ORDER BY last_here DESC, article_id
    LIMIT 1`,
  params: z.object({ cluster_id: z.string(), as_of: moment }),
  row: z.object({ cluster_id: z.string(), at: z.string() }),
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
  const path: Path = { seen: new Set(), last: null, merged_at: null }
  let next: string | null = asked.cluster_id
  while (next !== null && !path.seen.has(next)) {
    const wanted: StoryAsked = { ...asked, cluster_id: next }
    const [[found], [left]] = await Promise.all([standing(store)(wanted), lastLeft(store)(wanted)])
    if (found === undefined) throw new Error(`Nothing was counted of ${next}`)
    if (found.members > 0) return { cluster_id: next, merged_at: path.merged_at }
    path.seen.add(next)
    if (found.ever > 0) path.last = next
    next = await goOn(store, { path, wanted, left: found.ever > 0 ? left : undefined })
  }
  return null
}

/** The way from an empty story to one that is not. */
interface Path {
  readonly seen: Set<string>
  /** The last story on it that ever had articles. */
  last: string | null
  merged_at: string | null
}

interface Step {
  readonly path: Path
  readonly wanted: StoryAsked
  readonly left: Left | undefined
}

/** The next story on the way; null: none on it ever had articles. */
async function goOn(store: Store, { path, wanted, left }: Step): Promise<string | null> {
  if (path.last === null) return null
  const { cluster_id, at } = await whereTo(store, { path, wanted: { ...wanted, cluster_id: path.last }, left })
  path.merged_at ??= left === undefined ? at : left.at
  return cluster_id
}

/** Where articles went; where that leads nowhere, where the last article of the story is. */
async function whereTo(store: Store, { path, wanted, left }: Step): Promise<Left> {
  if (left !== undefined && !path.seen.has(left.cluster_id)) return left
  const [found] = await heir(store)(wanted)
  if (found === undefined) throw new Error(`No article was ever in ${wanted.cluster_id}`)
  return found
}

type Left = Awaited<ReturnType<ReturnType<typeof lastLeft>>>[number]
