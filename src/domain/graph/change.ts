import type { Graph, GraphStory, LedgerLink, Link } from './story.ts'

/** Changes to the stories of one namespace. */
export interface StoryChanges {
  /** New stories, and stories with any change. */
  readonly put: readonly GraphStory[]
  /** Ids of stories that no longer have articles. */
  readonly drop: readonly string[]
  /** Ledger links that are new (`holds`), and those that no longer apply (`ended`). */
  readonly holds: readonly LedgerLink[]
  readonly ended: readonly LedgerLink[]
}

export interface LinkChange {
  readonly action: 'added' | 'changed' | 'removed'
  /** The new link; for `removed`, the old one. */
  readonly link: Link
}

/** A change of the thread that a story belongs to. */
export interface ThreadChange {
  readonly action: 'added' | 'changed' | 'removed'
  readonly cluster_id: string
  /** The new thread; for `removed`, the old one. */
  readonly thread_id: string
}

export interface GraphChange {
  /** Removed, changed, added; within each, sorted by source, target and type. */
  readonly links: readonly LinkChange[]
  /** Removed, changed, added; within each, sorted by story id. */
  readonly threads: readonly ThreadChange[]
}

const ORDER = { removed: 0, changed: 1, added: 2 } as const

/** The changes that turn `before` into `after`. */
export function difference(before: Graph, after: Graph): GraphChange {
  const stories = new Set([...before.threads.keys(), ...after.threads.keys()])
  return sortedChange({
    links: linkChanges(byKey(before.links), byKey(after.links)),
    threads: [...stories].flatMap((id) => threadChange(id, before.threads.get(id), after.threads.get(id))),
  })
}

export const sortedChange = ({ links, threads }: GraphChange): GraphChange => ({
  links: [...links].sort((a, b) => ORDER[a.action] - ORDER[b.action] || byEnds(a.link, b.link)),
  threads: [...threads].sort((a, b) => ORDER[a.action] - ORDER[b.action] || ascending(a.cluster_id, b.cluster_id)),
})

/** A key that is unique per link. */
export const keyOf = ({ source, target, type }: Pick<Link, 'source' | 'target' | 'type'>): string =>
  `${source}\n${target}\n${type}`

export const ascending = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Sort order of links: by source, target and type. */
export const byEnds = (a: Link, b: Link): number =>
  ascending(a.source, b.source) || ascending(a.target, b.target) || ascending(a.type, b.type)

type LinksByKey = ReadonlyMap<string, Link>

export const byKey = (links: readonly Link[]): LinksByKey => new Map(links.map((link) => [keyOf(link), link]))

export function linkChanges(before: LinksByKey, after: LinksByKey): readonly LinkChange[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].flatMap((key) => linkChange(before.get(key), after.get(key)))
}

function linkChange(before: Link | undefined, after: Link | undefined): readonly LinkChange[] {
  if (after === undefined) return before === undefined ? [] : [{ action: 'removed', link: before }]
  if (before === undefined) return [{ action: 'added', link: after }]
  return isSameLink(before, after) ? [] : [{ action: 'changed', link: after }]
}

export function threadChange(cluster_id: string, before?: string, after?: string): readonly ThreadChange[] {
  if (before === after) return []
  if (after === undefined) return before === undefined ? [] : [{ action: 'removed', cluster_id, thread_id: before }]
  return [{ action: before === undefined ? 'added' : 'changed', cluster_id, thread_id: after }]
}

const isSameLink = (a: Link, b: Link): boolean =>
  a.confidence === b.confidence &&
  a.shared_entities.length === b.shared_entities.length &&
  a.shared_entities.every((id, i) => id === b.shared_entities[i])
