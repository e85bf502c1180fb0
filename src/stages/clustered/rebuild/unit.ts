import type { RememberedMember } from '../changelog.ts'
import type { ClusteredStories } from '../memory.ts'
import { isForeign } from '../packed-features.ts'

/** Articles that stay together in the rebuild of a day. */
export interface Unit {
  /** All of them, by event time. */
  readonly articles: readonly RememberedMember[]
  /** The articles that represent the unit in comparisons. */
  readonly compared: readonly RememberedMember[]
}

/** By event time, then by content hash of the newest revision, then by id: independent of arrival and namespace. */
export function inOrder(a: RememberedMember | undefined, b: RememberedMember | undefined): number {
  if (a === undefined || b === undefined) return 0
  return a.features.time - b.features.time || compare(a.seen.at(-1), b.seen.at(-1)) || compare(a.articleId, b.articleId)
}

const compare = (a = '', b = ''): number => (a < b ? -1 : Number(a !== b))

/** The sides of corrections that the articles are on: `left cor_…`. */
export function sidesOf(articles: readonly RememberedMember[]): Set<string> {
  const sides = new Set<string>()
  for (const { constraints } of articles) {
    for (const { role, correction_id } of constraints) if (role !== 'together') sides.add(`${role} ${correction_id}`)
  }
  return sides
}

/** Whether a curator keeps the two apart. */
export function areApart(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const side of one) if (other.has(opposite(side))) return true
  return false
}

/** Removes constraints of older corrections that keep the two apart: the newest correction wins. */
export function reconciled(members: readonly RememberedMember[], others: readonly RememberedMember[]) {
  const theirs = sidesOf(others)
  return members.map((member) => ({
    ...member,
    constraints: member.constraints.filter(
      ({ role, correction_id }) => !theirs.has(opposite(`${role} ${correction_id}`)),
    ),
  }))
}

const opposite = (side: string): string =>
  side.replace(/^(?:left|right) /, (role) => (role === 'left ' ? 'right ' : 'left '))

/**
 * Whether the cohesion of a group with this article is used when groups are compared: only for articles without a date
 * but with a body. Dates distinguish similar events better, and a headline alone is too short.
 */
export const usesCohesion = (member: RememberedMember | undefined): boolean =>
  member !== undefined && !member.features.dated && member.features.hasBody

/** Whether the article is compared as one in English. */
export const isInEnglish = (member: RememberedMember | undefined): boolean =>
  member !== undefined && !isForeign(member.features)

/** Whether the size of such a group is used: only for articles with a date, since others may span a long time. */
export const usesSize = (member: RememberedMember | undefined): boolean => member?.features.dated === true

/**
 * The story and subject page of each article while days are rebuilt one after the other: the state in memory plus the
 * changes so far.
 */
export class MemberPlacement {
  private readonly stories: Pick<ClusteredStories, 'clusters' | 'pages'>
  private readonly moved = new Map<RememberedMember, string>()
  private readonly listed = new Map<RememberedMember, string>()
  private readonly changed = new Map<string, Set<RememberedMember>>()
  private readonly pages = new Map<string, Set<RememberedMember>>()

  constructor(stories: Pick<ClusteredStories, 'clusters' | 'pages'>) {
    this.stories = stories
  }

  storyOf(member: RememberedMember): string {
    return this.moved.get(member) ?? member.clusterId
  }

  subjectOf(member: RememberedMember): string | null {
    return this.listed.get(member) ?? member.subjectId
  }

  listOnSubjectPage(members: readonly RememberedMember[], subject: string): void {
    for (const member of members) {
      const before = this.subjectOf(member)
      if (before !== null) this.changingPage(before).delete(member)
      this.changingPage(subject).add(member)
      this.listed.set(member, subject)
    }
  }

  /** The articles in memory that a page lists. */
  listedOn(subject: string): Iterable<RememberedMember> {
    return this.pages.get(subject) ?? this.stories.pages.get(subject) ?? []
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

  /** Articles whose story or page differs from memory, with the new values. */
  changes(): { readonly member: RememberedMember; readonly story: string; readonly subject: string | null }[] {
    return [...new Set([...this.moved.keys(), ...this.listed.keys()])]
      .map((member) => ({ member, story: this.storyOf(member), subject: this.subjectOf(member) }))
      .filter(({ member, story, subject }) => member.clusterId !== story || member.subjectId !== subject)
  }

  private changing(clusterId: string): Set<RememberedMember> {
    return copied(this.changed, clusterId, this.membersOf(clusterId))
  }

  private changingPage(subject: string): Set<RememberedMember> {
    return copied(this.pages, subject, this.listedOn(subject))
  }
}

/** The set of an id, which may be changed: a copy of these members if there is none yet. */
function copied(
  sets: Map<string, Set<RememberedMember>>,
  id: string,
  members: Iterable<RememberedMember>,
): Set<RememberedMember> {
  const own = sets.get(id) ?? new Set(members)
  sets.set(id, own)
  return own
}
