import { tombstone } from '../../state/entry.ts'
import type { Discourse } from './discourse.ts'
import { isSame } from './observed-posts.ts'
import {
  entry,
  emissionKey,
  type EnrichedUpdate,
  type RememberedPost,
  type EnrichedSubject,
  type EmissionState,
} from './changelog.ts'
import type { ChangedPosts } from './changed-posts.ts'

/** A record is emitted again as soon as this share of its posts has changed, and with the next tick in any case. */
const SHARE = 1 / 8

/** The changes of one record. */
export interface RecordChange extends EnrichedSubject {
  /** Number of changed posts and articles. */
  readonly changes: number
  /** Change in the number of posts; may be negative. */
  readonly more: number
  /** The earliest event time that changed. */
  readonly from: number
}

/** A record to emit. */
export interface DueEmission extends EnrichedSubject {
  readonly from: number
  /** Earliest event time of the records emitted before; `null` if there is none. */
  readonly since: number | null
}

export interface DueEmissions {
  readonly remember: readonly EnrichedUpdate[]
  readonly due: readonly DueEmission[]
}

/** The records to emit at once, and the new emission state of all. Pass one change per record. */
export const dueEmissions = (discourse: Discourse, namespace: string, changed: readonly RecordChange[]): DueEmissions =>
  allOf(changed.map((change) => decide(discourse, namespace, change)))

const allOf = (decided: readonly DecidedEmission[]): DueEmissions => ({
  remember: decided.map(({ change }) => change),
  due: decided.flatMap(({ due }) => due ?? []),
})

interface DecidedEmission {
  readonly change: EnrichedUpdate
  readonly due: DueEmission | null
}

function decide(
  discourse: Discourse,
  namespace: string,
  { cluster_id, platform, ...change }: RecordChange,
): DecidedEmission {
  const never = { cluster_id, platform, told: 0, since: null, untold: 0, from: null }
  const before = discourse.emissions.get(emissionKey(namespace, never)) ?? never
  const posts = postsOf(discourse, never) + change.more
  const pending = before.untold + change.changes
  const from = Math.min(before.from ?? Infinity, change.from)
  if (pending < Math.max(1, posts * SHARE)) {
    return { change: entry(namespace, { telling: { ...before, untold: pending, from } }), due: null }
  }
  return emission(namespace, { ...before, from }, posts)
}

/** Emits now, from that event time on. */
function emission(
  namespace: string,
  before: EmissionState & { readonly from: number },
  posts: number,
): DecidedEmission {
  const { cluster_id, platform, since, from } = before
  const due = { cluster_id, platform, from, since }
  if (posts === 0) return { change: tombstone(emissionKey(namespace, before)), due: since === null ? null : due }
  const after = { cluster_id, platform, told: posts, since: Math.min(since ?? from, from), untold: 0, from: null }
  return { change: entry(namespace, { telling: after }), due }
}

const postsOf = ({ stories }: Discourse, { cluster_id, platform }: EnrichedSubject): number =>
  stories.get(cluster_id)?.posts.get(platform)?.size ?? 0

/**
 * Maximum records emitted per tick, in addition to those that lose a quote. The rest follow with the next ticks, not in
 * one huge transaction. Less than an eighth of their posts has changed by then.
 */
const MOST_A_TICK = 256

/**
 * The records emitted with a tick: those that waited longest, or all (`flush`), and those that may quote one of the
 * `quoting` posts, whose text is deleted.
 */
export function emissionsAtTick(
  discourse: Discourse,
  namespace: string,
  { quoting, flush }: { readonly quoting: readonly RememberedPost[]; readonly flush: boolean },
): DueEmissions {
  const from = new Map(longestWaiting(discourse, flush ? Infinity : MOST_A_TICK))
  for (const { cluster_id, platform, created_at } of quoting) {
    const key = emissionKey(namespace, { cluster_id: cluster_id ?? '', platform })
    const before = discourse.emissions.get(key)
    if (before !== undefined) from.set(key, Math.min(from.get(key) ?? before.from ?? Infinity, created_at))
  }
  const decided = [...from.keys()].sort().flatMap((key) => {
    const before = discourse.emissions.get(key)
    if (before === undefined) return []
    return emission(namespace, { ...before, from: from.get(key) ?? 0 }, postsOf(discourse, before))
  })
  return allOf(decided)
}

/**
 * Keys of pending records and their earliest event time not emitted yet; earliest first, so that none waits forever.
 */
function longestWaiting({ pending, emissions }: Discourse, most: number): readonly (readonly [string, number])[] {
  const all = [...pending].map((key) => [key, emissions.get(key)?.from ?? Infinity] as const)
  return all.sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x - y)).slice(0, most)
}

interface EmissionCause {
  readonly posts: ChangedPosts
  /** Stories whose articles changed. */
  readonly stories: Iterable<string>
  /** Event time of changes caused by articles or stories. Nothing changes before it. */
  readonly at: number
  /** Posts change their story at `at` at the earliest, since stories exchanged articles. */
  readonly dated: boolean
  /** Emit at once, since a merge or split is rare enough even for the largest record. */
  readonly atOnce?: boolean
}

/** Event time of the first post of any of the stories; `Infinity` if there is none. */
export function firstPost({ stories, posts }: Discourse, ids: Iterable<string>): number {
  let first = Infinity
  for (const id of ids)
    for (const keys of stories.get(id)?.posts.values() ?? [])
      for (const key of keys) first = Math.min(first, posts.get(key)?.created_at ?? Infinity)
  return first
}

/** The changes of each record, in key order. */
export function recordChanges(discourse: Discourse, namespace: string, cause: EmissionCause): readonly RecordChange[] {
  const found = new Map<string, RecordChange>()
  const all = [
    ...[...cause.posts].flatMap(([key, after]) => changesByPost(discourse.posts.get(key), after, cause)),
    ...[...cause.stories].flatMap((id) => changesByStory(discourse, id, cause.at)),
  ]
  for (const change of all) {
    const key = emissionKey(namespace, change)
    const before = found.get(key) ?? { changes: 0, more: 0, from: Infinity }
    found.set(key, {
      ...change,
      changes: cause.atOnce === true ? Infinity : before.changes + change.changes,
      more: before.more + change.more,
      from: Math.min(before.from, change.from),
    })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change)
}

function changesByPost(
  before: RememberedPost | undefined,
  after: RememberedPost | null,
  { at, dated }: Pick<EmissionCause, 'at' | 'dated'>,
): readonly RecordChange[] {
  const [left, entered] = [subjectOf(before), subjectOf(after)]
  if (left !== null && entered !== null && left.cluster_id === entered.cluster_id) {
    if (isSame(before, after)) return []
    return [{ ...entered, changes: 1, more: 0, from: Math.min(left.from, entered.from) }]
  }
  const since = (from: number): number => (dated ? Math.max(from, at) : from)
  return [
    ...(left === null ? [] : [{ ...left, changes: 1, more: -1, from: since(left.from) }]),
    ...(entered === null ? [] : [{ ...entered, changes: 1, more: 1, from: since(entered.from) }]),
  ]
}

const changesByStory = ({ stories }: Discourse, cluster_id: string, from: number): readonly RecordChange[] =>
  [...(stories.get(cluster_id)?.posts.keys() ?? [])].map((platform) => ({
    cluster_id,
    platform,
    from,
    changes: 1,
    more: 0,
  }))

/** The record a post counts for, from the post's event time on; `null` if there is none. */
function subjectOf(post: RememberedPost | null | undefined): (EnrichedSubject & { readonly from: number }) | null {
  if (post == null || post.deleted || post.cluster_id === null) return null
  return { cluster_id: post.cluster_id, platform: post.platform, from: post.created_at }
}
