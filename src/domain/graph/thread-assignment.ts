import { threadId } from '../../events/ids.ts'
import { threadChange, type ThreadChange } from './change.ts'
import type { ChapterStep } from './linkage.ts'
import { earlier } from './past.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'

/** The steps that hold threads together ("bonds"), stored under both of their stories. */
export interface Bonds {
  /** Stories that a bond connects with the given one. */
  readonly neighbours: (cluster_id: string) => Iterable<string>
  /** Replaces the bonds of some stories and returns the old ones. Both ends of each bond must be among the stories. */
  readonly replace: (stories: Iterable<string>, bonds: readonly ChapterStep[]) => readonly ChapterStep[]
  readonly all: () => readonly ChapterStep[]
}

export function emptyBonds(): Bonds {
  const bondsOf = new Map<string, Map<string, ChapterStep>>()
  const put = (one: string, other: string, step: ChapterStep): void => {
    bondsOf.set(one, (bondsOf.get(one) ?? new Map<string, ChapterStep>()).set(other, step))
  }
  const replace = (stories: Iterable<string>, next: readonly ChapterStep[]): readonly ChapterStep[] => {
    const previous = new Set<ChapterStep>()
    for (const id of stories) {
      for (const step of bondsOf.get(id)?.values() ?? []) previous.add(step)
      bondsOf.delete(id)
    }
    for (const step of next) {
      put(step.from.cluster_id, step.to.cluster_id, step)
      put(step.to.cluster_id, step.from.cluster_id, step)
    }
    return [...previous]
  }
  return {
    neighbours: (id) => bondsOf.get(id)?.keys() ?? [],
    replace,
    all: () => [...new Set([...bondsOf.values()].flatMap((others) => [...others.values()]))],
  }
}

/** The groups of connected stories that contain the seeds, each once. */
export function connectedGroups(
  seeds: Iterable<string>,
  neighbours: (cluster_id: string) => Iterable<string>,
): readonly (readonly string[])[] {
  const seen = new Set<string>()
  const groups: string[][] = []
  for (const seed of seeds) {
    if (seen.has(seed)) continue
    const group = new Set([seed])
    for (const id of group) for (const other of neighbours(id)) group.add(other)
    for (const id of group) seen.add(id)
    groups.push([...group])
  }
  return groups
}

/** Changes to the bonds. Apply them after the bonds have been updated. */
export interface BondChanges {
  /** Stories that were removed. */
  readonly removed: readonly string[]
  /** Stories that lost a bond, or whose founding changed. */
  readonly weakened: Iterable<string>
  /** Pairs of stories that a new bond connects. */
  readonly joined: Iterable<readonly [string, string]>
}

interface ThreadInputs {
  readonly namespace: string
  readonly bonds: Pick<Bonds, 'neighbours'>
  readonly get: (cluster_id: string) => GraphStory | undefined
}

/** A group of connected stories. */
interface GraphGroup {
  readonly members: Set<string>
  /** The member with the earliest founding. */
  head: GraphStory
  /** `undefined` if the group has too few stories for a thread. */
  thread: string | undefined
}

/**
 * Maintains the thread of each story as bonds are added and removed.
 *
 * A new bond unites two groups without examining their other bonds. After a bond is removed, a search checks whether
 * its stories are still connected; it ends as soon as that is known.
 */
export function threadAssignment(inputs: ThreadInputs, rules: GraphRules) {
  const groups = new ThreadGroups(inputs, rules)
  return {
    all: (): ReadonlyMap<string, string> => groups.all,
    change: ({ removed, weakened, joined }: BondChanges): readonly ThreadChange[] => {
      const broken = groups.possiblyDisconnected(weakened, removed)
      for (const id of removed) groups.remove(id)
      const regrouped = new Set<string>()
      for (const [group, ends] of broken) groups.repair(group, ends, regrouped)
      for (const [one, other] of joined) groups.unite(one, other)
      return groups.takeChanges()
    },
  }
}

class ThreadGroups {
  readonly all = new Map<string, string>()
  private readonly groupOf = new Map<string, GraphGroup>()
  /** The thread before this change, for all stories whose thread was set by it. */
  private readonly threadBefore = new Map<string, string | undefined>()

  private readonly inputs: ThreadInputs
  private readonly rules: GraphRules

  constructor(inputs: ThreadInputs, rules: GraphRules) {
    this.inputs = inputs
    this.rules = rules
  }

  /** Stories that may no longer be connected with the rest of their group, by group. */
  possiblyDisconnected(weakened: Iterable<string>, removed: readonly string[]): ReadonlyMap<GraphGroup, Set<string>> {
    const found = new Map<GraphGroup, Set<string>>()
    const endsOf = (id: string): Set<string> => {
      const group = this.groupFor(id)
      const ends = group === null ? new Set<string>() : (found.get(group) ?? new Set())
      if (group !== null) found.set(group, ends)
      return ends
    }
    for (const id of removed) endsOf(id)
    for (const id of weakened) endsOf(id).add(id)
    return found
  }

  remove(id: string): void {
    this.groupOf.get(id)?.members.delete(id)
    this.groupOf.delete(id)
    this.setThread(id, undefined)
  }

  /**
   * Splits a group into its connected parts. `ends`: its stories that lost a bond or changed; `regrouped`: stories that
   * this change has already put into new groups.
   */
  repair(group: GraphGroup, ends: ReadonlySet<string>, regrouped: Set<string>): void {
    const untouched = [...ends].every((id) => !regrouped.has(id))
    const [first] = ends
    if (untouched && (first === undefined || this.reached(first, ends).isComplete)) {
      this.updateHead(group, ends)
      return
    }
    for (const end of ends) {
      if (regrouped.has(end)) continue
      const { members } = this.reached(end)
      for (const id of members) regrouped.add(id)
      this.regroup(members)
    }
  }

  unite(one: string, other: string): void {
    const [a, b] = [this.groupFor(one), this.groupFor(other)]
    if (a === null || b === null || a === b) return
    if (a.members.size < b.members.size) this.absorb(b, a)
    else this.absorb(a, b)
  }

  private absorb(large: GraphGroup, small: GraphGroup): void {
    large.head = firstOf(large.head, small.head)
    for (const id of small.members) {
      large.members.add(id)
      this.groupOf.set(id, large)
    }
    this.updateThread(large)
    if (small.thread !== large.thread) for (const id of small.members) this.setThread(id, large.thread)
  }

  /** Returns the changes since the last call. */
  takeChanges(): readonly ThreadChange[] {
    const changes = [...this.threadBefore].flatMap(([id, thread]) => threadChange(id, thread, this.all.get(id)))
    this.threadBefore.clear()
    return changes
  }

  /**
   * The stories connected with a story, including itself. With `within`, the search ends once it has reached all of
   * these; `isComplete`: whether it has.
   */
  private reached(from: string, within?: ReadonlySet<string>) {
    const members = new Set([from])
    const missing = new Set(within)
    missing.delete(from)
    for (const id of members) {
      if (within !== undefined && missing.size === 0) break
      for (const other of this.inputs.bonds.neighbours(id)) {
        members.add(other)
        missing.delete(other)
      }
    }
    return { members, isComplete: missing.size === 0 }
  }

  private regroup(members: Set<string>): void {
    const [first, ...others] = this.stories(members)
    if (first === undefined) return
    const group: GraphGroup = { members, head: others.reduce(firstOf, first), thread: undefined }
    group.thread = this.threadOf(group)
    for (const id of members) {
      this.groupOf.set(id, group)
      this.setThread(id, group.thread)
    }
  }

  /**
   * Updates the head after stories left the group or changed their founding. Scans all members only if the head itself
   * left or changed and no changed story has a founding at least as early.
   */
  private updateHead(group: GraphGroup, changed: ReadonlySet<string>): void {
    const { cluster_id, founded } = group.head
    const [one, ...more] = this.stories(changed)
    const earliestChanged = one === undefined ? undefined : more.reduce(firstOf, one)
    const isHeadUnchanged = group.members.has(cluster_id) && !changed.has(cluster_id)
    if (earliestChanged !== undefined && !earlier(founded, earliestChanged.founded)) group.head = earliestChanged
    else if (!isHeadUnchanged) {
      const [first = group.head, ...others] = this.stories(group.members)
      group.head = others.reduce(firstOf, first)
    }
    this.updateThread(group)
  }

  private readonly stories = (ids: Iterable<string>): readonly GraphStory[] =>
    [...ids].flatMap((id) => this.inputs.get(id) ?? [])

  private updateThread(group: GraphGroup): void {
    const thread = this.threadOf(group)
    if (group.thread === thread) return
    group.thread = thread
    for (const id of group.members) this.setThread(id, thread)
  }

  private readonly threadOf = ({ members, head }: GraphGroup): string | undefined =>
    members.size < this.rules.thread.leastStories ? undefined : threadId(this.inputs.namespace, head.founded.cluster_id)

  private setThread(id: string, thread: string | undefined): void {
    if (!this.threadBefore.has(id)) this.threadBefore.set(id, this.all.get(id))
    if (thread === undefined) this.all.delete(id)
    else this.all.set(id, thread)
  }

  /** The group of a story, created if necessary; `null` if there is no such story. */
  private groupFor(id: string): GraphGroup | null {
    const known = this.groupOf.get(id)
    if (known !== undefined) return known
    const head = this.inputs.get(id)
    if (head === undefined) return null
    const group: GraphGroup = { members: new Set([id]), head, thread: undefined }
    this.groupOf.set(id, group)
    return group
  }
}

const firstOf = (one: GraphStory, other: GraphStory): GraphStory => (earlier(other.founded, one.founded) ? other : one)
