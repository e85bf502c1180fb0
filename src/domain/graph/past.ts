import type { Founding, LedgerLink } from './story.ts'

/** What the ledger records about a story, apart from its articles. */
export interface StoryPast {
  readonly cluster_id: string
  /** Offset in `articles.clustered` of the first event that assigned an article to the story. */
  readonly order: number
  /** Whether it has articles now. */
  readonly living: boolean
  /** The story it was split from; `null` if no split opened it. */
  readonly split_from: string | null
  /** The target of its last merge; ignored while the story has articles. */
  readonly merged_into: string | null
}

export type Pasts = ReturnType<typeof pasts>

/** The ledger's history of all stories of a namespace, from which links and foundings are derived. */
export function pasts(all: Iterable<StoryPast> = []) {
  const known = new Map<string, StoryPast>()
  const mergedInto = multimap()
  const splitFrom = multimap()

  const remove = (cluster_id: string): void => {
    const past = known.get(cluster_id)
    if (past === undefined) return
    known.delete(cluster_id)
    mergedInto.remove(mergeTarget(past), cluster_id)
    splitFrom.remove(past.split_from, cluster_id)
  }
  const set = (past: StoryPast): void => {
    remove(past.cluster_id)
    known.set(past.cluster_id, past)
    mergedInto.add(mergeTarget(past), past.cluster_id)
    splitFrom.add(past.split_from, past.cluster_id)
  }
  for (const past of all) set(past)

  return {
    set,
    delete: remove,
    /**
     * The earliest founding among the story and all stories without articles that were merged into it, directly or
     * indirectly; `undefined` if it is unknown.
     */
    foundingOf: (cluster_id: string) => founding(cluster_id, known, mergedInto.of),
    /** The story that a merged story's articles are in now; the story itself while it has articles. */
    survivorOf: (cluster_id: string) => survivor(cluster_id, known),
    /** The stories without articles whose last merge led to this story. */
    mergedInto: mergedInto.of,
    /** The links from a story: `merged_with` if it has no articles, `split_from` while both stories have articles. */
    linksFrom: (cluster_id: string) => linksFrom(known.get(cluster_id), known),
    /** The stories that were split off from this one. */
    splitOff: splitFrom.of,
  }
}

/** The story that a story without articles was merged into. */
const mergeTarget = ({ living, merged_into }: StoryPast): string | null => (living ? null : merged_into)

function founding(
  cluster_id: string,
  known: ReadonlyMap<string, StoryPast>,
  mergedInto: (cluster_id: string) => readonly string[],
): Founding | undefined {
  let first: Founding | undefined
  const seen = new Set([cluster_id])
  for (const id of seen) {
    const past = known.get(id)
    if (past !== undefined && (first === undefined || earlier(past, first)))
      first = { order: past.order, cluster_id: id }
    for (const merged of mergedInto(id)) seen.add(merged)
  }
  return first
}

/** Whether one founding is earlier than the other; by id on a tie, which two stories of one log never have. */
export const earlier = (one: Founding, other: Founding): boolean =>
  one.order < other.order || (one.order === other.order && one.cluster_id < other.cluster_id)

function survivor(cluster_id: string, known: ReadonlyMap<string, StoryPast>): string {
  const seen = new Set([cluster_id])
  let at = cluster_id
  for (const id of seen) {
    at = id
    const past = known.get(id)
    const next = past === undefined ? null : mergeTarget(past)
    if (next !== null) seen.add(next)
  }
  return at
}

function linksFrom(past: StoryPast | undefined, known: ReadonlyMap<string, StoryPast>): readonly LedgerLink[] {
  if (past === undefined) return []
  const { cluster_id: source, living, split_from } = past
  const merged = mergeTarget(past)
  if (merged !== null) return [{ source, target: merged, type: 'merged_with' }]
  return living && split_from !== null && known.get(split_from)?.living === true
    ? [{ source, target: split_from, type: 'split_from' }]
    : []
}

/** A map from an id to several ids, without empty entries. */
function multimap() {
  const all = new Map<string, Set<string>>()
  return {
    of: (key: string): readonly string[] => [...(all.get(key) ?? [])],
    add: (key: string | null, value: string): void => {
      if (key === null) return
      all.set(key, (all.get(key) ?? new Set<string>()).add(value))
    },
    remove: (key: string | null, value: string): void => {
      if (key === null) return
      const values = all.get(key)
      if (values?.delete(value) === true && values.size === 0) all.delete(key)
    },
  }
}
