import type { ClusteredStories } from '../memory.ts'
import type { RememberedMember } from '../changelog.ts'

interface PlacedMember {
  readonly member: RememberedMember
  readonly story: string
  readonly subject: string | null
}

/** In which stories and on which subject pages articles are while days are rebuilt one after the other: as in memory, but for what changed since. */
export class MemberPlacement {
  private readonly stories: Pick<ClusteredStories, 'clusters'>
  private readonly moved = new Map<RememberedMember, string>()
  private readonly listed = new Map<RememberedMember, string>()
  private readonly changed = new Map<string, Set<RememberedMember>>()

  constructor(stories: Pick<ClusteredStories, 'clusters'>) {
    this.stories = stories
  }

  storyOf(member: RememberedMember): string {
    return this.moved.get(member) ?? member.clusterId
  }

  subjectOf(member: RememberedMember): string | null {
    return this.listed.get(member) ?? member.subjectId
  }

  list(members: readonly RememberedMember[], subject: string): void {
    for (const member of members) this.listed.set(member, subject)
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
  changes(): PlacedMember[] {
    return [...new Set([...this.moved.keys(), ...this.listed.keys()])]
      .map((member) => ({ member, story: this.storyOf(member), subject: this.subjectOf(member) }))
      .filter(({ member, story, subject }) => member.clusterId !== story || member.subjectId !== subject)
  }

  private changing(clusterId: string): Set<RememberedMember> {
    const members = this.changed.get(clusterId) ?? new Set(this.membersOf(clusterId))
    this.changed.set(clusterId, members)
    return members
  }
}
