import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

/**
 * One row per story that ever had articles which exist as of a point in time: how many belong to it then, and its
 * `heir`, the story (and since when) of the article that was assigned to this story last.
 */
const storyHeirs = query({
  name: 'clusters.standings',
  sql: `
    WITH concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN {ids: Array(String)}
    ),
    known AS (
      SELECT article_id FROM members
      WHERE namespace = {namespace: String} AND article_id IN (SELECT article_id FROM concerned)
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    ),
    assignments AS (
      SELECT
        article_id, argMax((cluster_id, valid_from), _offset) AS belongs,
        groupArrayIf((cluster_id, _offset), cluster_id IN {ids: Array(String)}) AS entries_here
      FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM known)
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    ledger AS (
      SELECT article_id, belongs, entry.1 AS story, max(entry.2) AS last_here
      FROM assignments ARRAY JOIN entries_here AS entry
      GROUP BY article_id, belongs, story
    )
    SELECT
      story AS cluster_id, countIf(belongs.1 = story) AS members,
      argMin(belongs, (-toInt64(last_here), article_id)) AS heir
    FROM ledger
    GROUP BY story`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({ cluster_id: z.string(), members: z.number(), heir: z.tuple([z.string(), z.string()]) }),
})

/**
 * One row per story that articles ever left, as of a point in time: the target of the last change that moved some away.
 */
const lastLeft = query({
  name: 'clusters.last_left',
  sql: `
    SELECT ifNull(from_cluster_id, '') AS from_id, cluster_id, occurred_at AS at
    FROM story_changes FINAL
    WHERE namespace = {namespace: String} AND from_cluster_id IN {ids: Array(String)}
      AND notEmpty(article_ids) AND refused IS NULL
      AND (occurred_at <= {as_of: DateTime64(3, 'UTC')} OR action = 'corrected')
    ORDER BY _offset DESC
    LIMIT 1 BY from_id`,
  params: z.object({ ids: z.array(z.string()), as_of: moment }),
  row: z.object({ from_id: z.string(), cluster_id: z.string(), at: z.string() }),
})

export interface StoryQuery extends AsOf {
  readonly cluster_id: string
}

/** The story that an id resolves to as of a point in time. */
export interface Surviving {
  readonly cluster_id: string
  /** When the requested story was merged into another one (not necessarily this one); `null` if the id is its own. */
  readonly merged_at: string | null
}

/** `survivors` for one id; `null` if the story did not exist yet. */
export async function surviving(store: Store, { cluster_id, ...params }: StoryQuery): Promise<Surviving | null> {
  return (await survivors(store, { ...params, ids: [cluster_id] })).get(cluster_id) ?? null
}

/**
 * Resolves ids to stories that have articles, as of a point in time. An id stays valid for ever: if all articles of its
 * story moved to another story, it resolves to that one, recursively; if the story has articles again, it resolves to
 * itself. Keyed by id; stories that did not exist yet are omitted.
 *
 * A ledger entry is valid from the event time of its subject, so as of a past point in time a story may be empty
 * because of entries that were written after those which emptied it. It then resolves to the story that holds the last
 * of its articles.
 *
 * All ids are resolved together: each step is one query over all stories reached.
 */
export async function survivors(
  store: Store,
  { ids, ...params }: AsOf & { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, Surviving>> {
  const found = new Map<string, Surviving>()
  const known = new Map<string, HeirsOfStory>()
  let paths = [...new Set(ids)].map((id): ResolutionPath => ({
    id,
    at: id,
    seen: new Set(),
    last: null,
    merged_at: null,
  }))
  while (paths.length > 0) {
    const reached = new Set(paths.map(({ at }) => at))
    await readHeirs(store, { ...params, ids: [...reached].filter((id) => !known.has(id)) }, known)
    for (const { id, at, merged_at } of paths) {
      if (heirsOf(known, at).members > 0) found.set(id, { cluster_id: at, merged_at })
    }
    paths = paths.filter(({ id }) => !found.has(id)).flatMap((path) => nextStep(path, known))
  }
  return found
}

interface StorySince {
  readonly cluster_id: string
  /** Valid from. */
  readonly at: string
}

interface HeirsOfStory {
  readonly members: number
  /** The story that holds the last of its articles; `null` if it never had any. */
  readonly heir: StorySince | null
  /** The target of the last change that moved articles away; `null` if there is none. */
  readonly left: StorySince | null
}

const NO_ARTICLES: HeirsOfStory = { members: 0, heir: null, left: null }
const heirsOf = (known: ReadonlyMap<string, HeirsOfStory>, id: string): HeirsOfStory => known.get(id) ?? NO_ARTICLES

async function readHeirs(
  store: Store,
  params: AsOf & { readonly ids: string[] },
  known: Map<string, HeirsOfStory>,
): Promise<void> {
  if (params.ids.length === 0) return
  const [stories, departures] = await Promise.all([storyHeirs(store)(params), lastLeft(store)(params)])
  const left = new Map(departures.map(({ from_id, cluster_id, at }) => [from_id, { cluster_id, at }]))
  for (const id of params.ids) known.set(id, NO_ARTICLES)
  for (const { cluster_id, members, heir } of stories) {
    const [heir_id, at] = heir
    known.set(cluster_id, { members, heir: { cluster_id: heir_id, at }, left: left.get(cluster_id) ?? null })
  }
}

/** The path of an id from an empty story to one with articles. */
interface ResolutionPath {
  readonly id: string
  /** The current story. */
  readonly at: string
  /** The stories before it. */
  readonly seen: ReadonlySet<string>
  /** The last story on the path that ever had articles. */
  readonly last: string | null
  readonly merged_at: string | null
}

/** The next step from an empty story; empty if no story on the path ever had articles, or if the path is a cycle. */
function nextStep(path: ResolutionPath, known: ReadonlyMap<string, HeirsOfStory>): ResolutionPath[] {
  const seen = new Set([...path.seen, path.at])
  const { heir, left } = heirsOf(known, path.at)
  const last = heir === null ? path.last : path.at
  const next = last === null ? null : (unseen(seen, left) ?? unseen(seen, heirsOf(known, last).heir))
  if (next === null) return []
  return [{ id: path.id, at: next.cluster_id, seen, last, merged_at: path.merged_at ?? (left ?? next).at }]
}

const unseen = (seen: ReadonlySet<string>, place: StorySince | null): StorySince | null =>
  place === null || seen.has(place.cluster_id) ? null : place
