import { clusterId } from '../../../events/ids.ts'
import type { CorrectionRequested } from '../../../events/settings.ts'
import { nearestMembers } from '../live-index.ts'
import { reconciled } from '../rebuild/unit.ts'
import type { ClusteredStories } from '../memory.ts'
import type { Constraint, RememberedMember } from '../changelog.ts'

/** Articles that a correction takes from one story to another; they need not be in memory. */
export interface ClusteredMove {
  readonly from: string
  readonly to: string
  readonly article_ids: readonly string[]
}

export interface CorrectionEffect {
  /** None: nothing moves, the word alone holds from now on. */
  readonly moves: readonly ClusteredMove[]
  /** Members in memory as they are now. */
  readonly members: readonly RememberedMember[]
}

/** Why a correction cannot be done, as a constant. */
export interface ClusteredRefusal {
  readonly refused: 'article_moved' | 'same_story' | 'story_gone' | 'nothing_left' | 'unknown_correction'
}

type ClusteredRequest = Omit<CorrectionRequested, 'event_id' | 'occurred_at' | 'reason' | 'key_id'>

/** Articles go to another story; they stay with what is nearest to them there, and away from those they leave. */
export function move(stories: ClusteredStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
  const { cluster_id: from, other_cluster_id: to, article_ids, correction_id } = request
  if (to === null || from === to) return { refused: 'same_story' }
  const { mine, others, gone } = parted(stories, from, article_ids)
  if (article_ids.length === 0) return { refused: 'nothing_left' }
  if (gone.length > 0) return { refused: 'article_moved' }
  return {
    moves: [{ from, to, article_ids }],
    members: [
      ...reconciled(loose(mine), membersOf(stories, to)).map((one) =>
        marked({ ...one, clusterId: to }, { correction_id, roles: ['together', 'left'], from }),
      ),
      ...nearest(stories, to, mine).map((one) => marked(one, { correction_id, roles: ['together'] })),
      ...others.map((one) => marked(one, { correction_id, roles: ['right'] })),
    ],
  }
}

/** What of a story the first of some articles stays with. */
function nearest(
  stories: ClusteredStories,
  id: string,
  [first]: readonly RememberedMember[],
): readonly RememberedMember[] {
  const story = stories.clusters.get(id)
  return story === undefined || first === undefined ? [] : nearestMembers(story, first.features.time, 1)
}

/** All articles of the other story come here, and the two are one from now on. */
export function merge(stories: ClusteredStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
  const { cluster_id: to, other_cluster_id: from, correction_id } = request
  if (from === null || from === to) return { refused: 'same_story' }
  const own = membersOf(stories, to)
  const theirs = membersOf(stories, from)
  const requested = request.article_ids.filter((id) => (stories.members.get(id)?.clusterId ?? from) === from)
  const article_ids = [...new Set([...theirs.map(({ articleId }) => articleId), ...requested])]
  if (article_ids.length === 0) return { refused: 'nothing_left' }
  return {
    moves: [{ from, to, article_ids }],
    members: [
      ...reconciled(theirs, own).map((one) =>
        marked({ ...one, clusterId: to }, { correction_id, roles: ['together'], from }),
      ),
      ...reconciled(own, theirs).map((one) => marked(one, { correction_id, roles: ['together'] })),
    ],
  }
}

/** Articles leave and are a story of their own. */
export function split(stories: ClusteredStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
  const { namespace, cluster_id: from, article_ids, correction_id } = request
  const { mine, others, gone } = parted(stories, from, article_ids)
  if (article_ids.length === 0) return { refused: 'nothing_left' }
  if (gone.length > 0) return { refused: 'article_moved' }
  if (mine.length > 0 && others.length === 0) return { refused: 'nothing_left' }
  const founder = mine.find(({ founded }) => !founded)
  const to = clusterId(namespace, founder?.articleId ?? `${article_ids[0] ?? ''}\n${correction_id}`)
  return {
    moves: [{ from, to, article_ids }],
    members: [
      ...loose(mine).map((one) => {
        const opened = { ...one, clusterId: to, founded: one.founded || one.articleId === founder?.articleId }
        return marked(opened, { correction_id, roles: ['together', 'left'], from })
      }),
      ...others.map((one) => marked(one, { correction_id, roles: ['right'] })),
    ],
  }
}

/** Two stories are never one. */
export function keepApart(stories: ClusteredStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
  const { cluster_id, other_cluster_id, correction_id } = request
  if (other_cluster_id === null || cluster_id === other_cluster_id) return { refused: 'same_story' }
  const [left, right] = [membersOf(stories, cluster_id), membersOf(stories, other_cluster_id)]
  if (left.length === 0 || right.length === 0) return { refused: 'story_gone' } // merged meanwhile, or at rest for good
  return {
    moves: [],
    members: [
      ...left.map((one) => marked(one, { correction_id, roles: ['left'] })),
      ...right.map((one) => marked(one, { correction_id, roles: ['right'] })),
    ],
  }
}

/** Taken out of what older words bound them to. */
const loose = (members: readonly RememberedMember[]): RememberedMember[] =>
  members.map((one) => ({ ...one, constraints: one.constraints.filter(({ role }) => role !== 'together') }))

const membersOf = (stories: ClusteredStories, id: string): readonly RememberedMember[] =>
  stories.clusters.get(id)?.members ?? []

interface Parted {
  readonly mine: readonly RememberedMember[]
  readonly others: readonly RememberedMember[]
  /** In memory, but in another story by now. */
  readonly gone: readonly string[]
}

function parted(stories: ClusteredStories, from: string, articleIds: readonly string[]): Parted {
  const requested = new Set(articleIds)
  const members = membersOf(stories, from)
  return {
    mine: members.filter(({ articleId }) => requested.has(articleId)),
    others: members.filter(({ articleId }) => !requested.has(articleId)),
    gone: articleIds.filter((id) => (stories.members.get(id)?.clusterId ?? from) !== from),
  }
}

interface Mark {
  readonly correction_id: string
  readonly roles: readonly Constraint['role'][]
  /** Where the correction takes it from; none: it stays. */
  readonly from?: string
}

function marked(member: RememberedMember, { correction_id, roles, from }: Mark): RememberedMember {
  const added = roles.map((role): Constraint => ({ correction_id, role, from_cluster_id: from ?? null }))
  return { ...member, constraints: [...member.constraints, ...added] }
}
