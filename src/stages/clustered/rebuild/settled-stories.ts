import { NO_CHANGE, type ChangedStories } from '../ledger.ts'
import type { ClusteredStories } from '../memory.ts'
import type { RememberedMember } from '../changelog.ts'
import type { MemberPlacement } from './placing.ts'

export interface RebuiltStories {
  readonly stories: ClusteredStories
  /** As it is after the rebuild. */
  readonly placing: MemberPlacement
  /** Event days whose articles wait no more. */
  readonly done: readonly number[]
  readonly changed: readonly ChangedStories[]
}

export interface SettledStory {
  readonly id: string
  /** By event time. */
  readonly members: readonly RememberedMember[]
}

/**
 * Stories whose membership has settled: they changed, or an article of theirs waited, and now none waits any more. By event
 * time of the newest article, then by id.
 */
export function settledStories({ stories, placing, done, changed }: RebuiltStories): SettledStory[] {
  const { unsettled } = stories.days
  const waited = done.flatMap((day) => [...(unsettled.get(day)?.keys() ?? [])])
  const waiting = new Set([...unsettled].flatMap(([day, articles]) => (done.includes(day) ? [] : [...articles.keys()])))
  const ids = new Set([
    ...waited.flatMap((id) => storyOf(stories.members.get(id), placing)),
    ...changed.flatMap(({ cluster_id, change }) => [cluster_id, change.from_cluster_id ?? '']),
  ])
  return [...ids]
    .map((id) => ({ id, members: [...placing.membersOf(id)].sort(byTime) }))
    .filter(({ members }) => members.length > 0 && !members.some(({ articleId }) => waiting.has(articleId)))
    .sort((a, b) => newestOf(a) - newestOf(b) || (a.id < b.id ? -1 : 1))
}

/** That a story has settled, with all its articles. */
export const storySettled = (
  story: SettledStory,
  said: Pick<ChangedStories, 'decision' | 'assignment_confidence'>,
): ChangedStories => ({
  action: 'settled',
  cluster_id: story.id,
  occurred_at: newestOf(story),
  change: { ...NO_CHANGE, article_ids: story.members.map(({ articleId }) => articleId) },
  ...said,
})

const storyOf = (member: RememberedMember | undefined, placing: MemberPlacement): string[] =>
  member === undefined ? [] : [placing.storyOf(member)]

const byTime = (a: RememberedMember, b: RememberedMember): number =>
  a.features.time - b.features.time || (a.articleId < b.articleId ? -1 : 1)

const newestOf = ({ members }: SettledStory): number => members.at(-1)?.features.time ?? -Infinity
