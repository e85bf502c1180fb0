import type { Stories } from '../memory.ts'
import type { RememberedMember } from '../remembered.ts'

/** Where articles are while days are rebuilt one after the other: as in memory, but for what was moved since. */
export class Placing {
  private readonly stories: Pick<Stories, 'clusters'>
  private readonly moved = new Map<RememberedMember, string>()
  private readonly changed = new Map<string, Set<RememberedMember>>()

  constructor(stories: Pick<Stories, 'clusters'>) {
    this.stories = stories
  }

  storyOf(member: RememberedMember): string {
    return this.moved.get(member) ?? member.clusterId
  }

  membersOf(clusterId: string): Iterable<RememberedMember> {
    return this.changed.get(clusterId) ?? this.stories.clusters.get(clusterId)?.members ?? []
  }

  move(members: readonly RememberedMember[], to: string): void {
    for (const member of members) {
      this.changing(this.storyOf(member)).delete(member)
      this.changing(to).add(member)
      this.moved.set(member, to)
    }
  }

  /** Articles that are not where memory has them, and where they are. */
  changes(): (readonly [RememberedMember, string])[] {
    return [...this.moved].filter(([member, to]) => member.clusterId !== to)
  }

  private changing(clusterId: string): Set<RememberedMember> {
    const members = this.changed.get(clusterId) ?? new Set(this.membersOf(clusterId))
    this.changed.set(clusterId, members)
    return members
  }
}
