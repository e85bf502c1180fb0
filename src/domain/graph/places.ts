import { threadId } from '../../events/ids.ts'
import { threadChange, type ThreadChange } from './change.ts'
import type { ChaptersStep } from './linkage.ts'
import { earlier } from './past.ts'
import type { GraphRules } from './rules.ts'
import type { GraphStory } from './story.ts'

/** The steps that hold threads together ("bonds"), stored under both of their stories. */
export interface Bonds {
  /** Stories that a bond connects with the given one. */
  readonly beside: (cluster_id: string) => Iterable<string>
  /** Replaces the bonds of some stories and returns the old ones. Both ends of each bond must be among the stories. */
  readonly replace: (stories: Iterable<string>, bonds: readonly ChaptersStep[]) => readonly ChaptersStep[]
  readonly all: () => readonly ChaptersStep[]
}

export function bonds(): Bonds {
  const of = new Map<string, Map<string, ChaptersStep>>()
  const put = (one: string, other: string, step: ChaptersStep): void => {
    of.set(one, (of.get(one) ?? new Map<string, ChaptersStep>()).set(other, step))
  }
  const replace = (stories: Iterable<string>, next: readonly ChaptersStep[]): readonly ChaptersStep[] => {
    const were = new Set<ChaptersStep>()
    for (const id of stories) {
      for (const step of of.get(id)?.values() ?? []) were.add(step)
      of.delete(id)
    }
    for (const step of next) {
      put(step.from.cluster_id, step.to.cluster_id, step)
      put(step.to.cluster_id, step.from.cluster_id, step)
    }
    return [...were]
  }
  return {
    beside: (id) => of.get(id)?.keys() ?? [],
    replace,
    all: () => [...new Set([...of.values()].flatMap((others) => [...others.values()]))],
  }
}

/** The groups of connected stories that contain the seeds, each once. */
export function around(
  seeds: Iterable<string>,
  beside: (cluster_id: string) => Iterable<string>,
): readonly (readonly string[])[] {
  const seen = new Set<string>()
  const groups: string[][] = []
  for (const seed of seeds) {
    if (seen.has(seed)) continue
    const group = new Set([seed])
    for (const id of group) for (const other of beside(id)) group.add(other)
    for (const id of group) seen.add(id)
    groups.push([...group])
  }
  return groups
}

/** Changes to the steps that hold threads together. `chapters` already contains them. */
export interface HeldPlaces {
  /** Stories that were removed. */
  readonly left: readonly string[]
  /** Stories that lost a step, or whose founding changed. */
  readonly loose: Iterable<string>
  /** Pairs of stories that a new step connects. */
  readonly joined: Iterable<readonly [string, string]>
}

interface GraphWorld {
  readonly namespace: string
  readonly chapters: Pick<Bonds, 'beside'>
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
 * Maintains the thread of each story as steps are added and removed.
 *
 * A new step unites two groups without examining their other steps. After a step is removed, a search checks whether
 * its stories are still connected; it ends as soon as that is known.
 */
export function places(world: GraphWorld, rules: GraphRules) {
  const kept = new GraphKept(world, rules)
  return {
    all: (): ReadonlyMap<string, string> => kept.all,
    change: ({ left, loose, joined }: HeldPlaces): readonly ThreadChange[] => {
      const broken = kept.looseOf(loose, left)
      for (const id of left) kept.leave(id)
      const settled = new Set<string>()
      for (const [group, ends] of broken) kept.mend(group, ends, settled)
      for (const [one, other] of joined) kept.unite(one, other)
      return kept.takeChanges()
    },
  }
}

class GraphKept {
  readonly all = new Map<string, string>()
  private readonly groupOf = new Map<string, GraphGroup>()
  /** The thread before this change, for all stories whose thread was touched. */
  private readonly was = new Map<string, string | undefined>()

  private readonly world: GraphWorld
  private readonly rules: GraphRules

  constructor(world: GraphWorld, rules: GraphRules) {
    this.world = world
    this.rules = rules
  }

  /** Stories that may no longer be connected with the rest of their group, by group. */
  looseOf(loose: Iterable<string>, left: readonly string[]): ReadonlyMap<GraphGroup, Set<string>> {
    const found = new Map<GraphGroup, Set<string>>()
    const endsOf = (id: string): Set<string> => {
      const group = this.groupFor(id)
      const ends = group === null ? new Set<string>() : (found.get(group) ?? new Set())
      if (group !== null) found.set(group, ends)
      return ends
    }
    for (const id of left) endsOf(id)
    for (const id of loose) endsOf(id).add(id)
    return found
  }

  leave(id: string): void {
    this.groupOf.get(id)?.members.delete(id)
    this.groupOf.delete(id)
    this.place(id, undefined)
  }

  /**
   * `ends`: stories of the group that lost a step or changed; `settled`: stories already put into new groups by this
   * change.
   */
  mend(group: GraphGroup, ends: ReadonlySet<string>, settled: Set<string>): void {
    const untouched = [...ends].every((id) => !settled.has(id))
    const [first] = ends
    if (untouched && (first === undefined || this.reached(first, ends).whole)) {
      this.rehead(group, ends)
      return
    }
    for (const end of ends) {
      if (settled.has(end)) continue
      const { members } = this.reached(end)
      for (const id of members) settled.add(id)
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
    this.name(large)
    if (small.thread !== large.thread) for (const id of small.members) this.place(id, large.thread)
  }

  /** Returns the changes since the last call. */
  takeChanges(): readonly ThreadChange[] {
    const changes = [...this.was].flatMap(([id, thread]) => threadChange(id, thread, this.all.get(id)))
    this.was.clear()
    return changes
  }

  /**
   * The stories connected with a story, including itself. With `within`, the search ends once it has reached all of
   * these; `whole`: whether it has.
   */
  private reached(from: string, within?: ReadonlySet<string>) {
    const members = new Set([from])
    const missing = new Set(within)
    missing.delete(from)
    for (const id of members) {
      if (within !== undefined && missing.size === 0) break
      for (const other of this.world.chapters.beside(id)) {
        members.add(other)
        missing.delete(other)
      }
    }
    return { members, whole: missing.size === 0 }
  }

  private regroup(members: Set<string>): void {
    const [first, ...others] = this.stories(members)
    if (first === undefined) return
    const group: GraphGroup = { members, head: others.reduce(firstOf, first), thread: undefined }
    group.thread = this.threadOf(group)
    for (const id of members) {
      this.groupOf.set(id, group)
      this.place(id, group.thread)
    }
  }

  /**
   * Updates the head after stories left the group or changed their founding. Scans all members only if the head itself
   * left or changed and no changed story has a founding at least as early.
   */
  private rehead(group: GraphGroup, changed: ReadonlySet<string>): void {
    const { cluster_id, founded } = group.head
    const [one, ...more] = this.stories(changed)
    const heir = one === undefined ? undefined : more.reduce(firstOf, one)
    const stays = group.members.has(cluster_id) && !changed.has(cluster_id)
    if (heir !== undefined && !earlier(founded, heir.founded)) group.head = heir
    else if (!stays) {
      const [first = group.head, ...others] = this.stories(group.members)
      group.head = others.reduce(firstOf, first)
    }
    this.name(group)
  }

  private readonly stories = (ids: Iterable<string>): readonly GraphStory[] =>
    [...ids].flatMap((id) => this.world.get(id) ?? [])

  private name(group: GraphGroup): void {
    const thread = this.threadOf(group)
    if (group.thread === thread) return
    group.thread = thread
    for (const id of group.members) this.place(id, thread)
  }

  private readonly threadOf = ({ members, head }: GraphGroup): string | undefined =>
    members.size < this.rules.thread.leastStories ? undefined : threadId(this.world.namespace, head.founded.cluster_id)

  private place(id: string, thread: string | undefined): void {
    if (!this.was.has(id)) this.was.set(id, this.all.get(id))
    if (thread === undefined) this.all.delete(id)
    else this.all.set(id, thread)
  }

  /** The group of a story, created if necessary; `null` if there is no such story. */
  private groupFor(id: string): GraphGroup | null {
    const known = this.groupOf.get(id)
    if (known !== undefined) return known
    const head = this.world.get(id)
    if (head === undefined) return null
    const group: GraphGroup = { members: new Set([id]), head, thread: undefined }
    this.groupOf.set(id, group)
    return group
  }
}

const firstOf = (one: GraphStory, other: GraphStory): GraphStory => (earlier(other.founded, one.founded) ? other : one)
