import type { CorrectionRequested } from '../../events/settings.ts'
import { NO_CHANGE, type ChangedStories } from './ledger.ts'
import type { ClusteredStories } from './memory.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import type { RememberedMember, Constraint } from './changelog.ts'
import { clusterId } from '../../events/ids.ts'
import { nearestMembers } from './live-index.ts'
import { reconciled } from './rebuild/unit.ts'

export interface Corrected {
  readonly changed: readonly ChangedStories[]
  /** Members as they are now. */
  readonly members: readonly RememberedMember[]
}

/** Does what a curator asks, or says why it cannot be done; either way it stands in the ledger. */
export function correct(
  stories: ClusteredStories,
  request: CorrectionRequested,
  { versions }: Pick<ClusteringModel, 'versions'>,
): Corrected {
  const effect = EFFECTS[request.action](stories, request)
  const { moves, members } = isRefusal(effect) ? { moves: [], members: [] } : effect
  const refused = isRefusal(effect) ? effect.refused : null
  const none = { from: null, to: request.cluster_id, article_ids: [] }
  const changed = (moves.length === 0 ? [none] : moves).map(({ from, to, article_ids }): ChangedStories => ({
    action: 'corrected',
    cluster_id: to,
    occurred_at: request.occurred_at,
    decision: {
      rule: 'curator',
      chosen: article_ids.length === 0 ? null : { cluster_id: to, score: 1, features: {} },
      runner_up: null,
      threshold: 0,
      versions,
    },
    assignment_confidence: refused === null && request.action !== 'undo' ? CERTAIN : null,
    change: {
      ...NO_CHANGE,
      from_cluster_id: from,
      article_ids,
      correction: {
        correction_id: request.correction_id,
        action: request.action,
        refused,
        reason: request.reason,
        key_id: request.key_id,
      },
    },
  }))
  return { changed, members }
}

/** The recluster never takes apart what a curator put together. */
const CERTAIN = 1

const EFFECTS: Readonly<
  Record<
    CorrectionRequested['action'],
    (stories: ClusteredStories, request: CorrectionRequested) => CorrectionEffect | ClusteredRefusal
  >
> = { move, merge, split, keep_apart: keepApart, undo }

const isRefusal = (effect: CorrectionEffect | ClusteredRefusal): effect is ClusteredRefusal => 'refused' in effect

/**
 * Takes a correction back: its word does not hold any more, and what it moved returns to where it came from, unless a
 * newer one has moved it on. Articles that memory has lost go as the request says: out of `cluster_id`, into
 * `other_cluster_id`.
 */
function undo(stories: ClusteredStories, request: CorrectionRequested): CorrectionEffect | ClusteredRefusal {
  const { correction_id, cluster_id, other_cluster_id, article_ids } = request
  const marked = [...stories.members.values()].filter(({ constraints }) =>
    constraints.some((one) => one.correction_id === correction_id),
  )
  const members = marked.map((member) => returned(member, correction_id))
  const back = members.map((member, i) => ({ member, from: marked[i]?.clusterId ?? member.clusterId }))
  const lost = article_ids.filter((id) => !stories.members.has(id))
  const moves = [
    ...grouped(back.filter(({ member, from }) => member.clusterId !== from)),
    ...(lost.length === 0 || other_cluster_id === null
      ? []
      : [{ from: cluster_id, to: other_cluster_id, article_ids: lost }]),
  ]
  return marked.length + moves.length === 0 ? { refused: 'unknown_correction' } : { moves, members }
}

function returned(member: RememberedMember, correctionId: string): RememberedMember {
  const last = member.constraints.findLast(({ from_cluster_id }) => from_cluster_id !== null)
  const home = last?.correction_id === correctionId ? last.from_cluster_id : null
  return {
    ...member,
    clusterId: home ?? member.clusterId,
    constraints: member.constraints.filter(({ correction_id }) => correction_id !== correctionId),
  }
}

function grouped(back: readonly { readonly member: RememberedMember; readonly from: string }[]): ClusteredMove[] {
  const moves = new Map<string, { from: string; to: string; article_ids: string[] }>()
  for (const { member, from } of back) {
    const key = `${from} ${member.clusterId}`
    const move = moves.get(key) ?? { from, to: member.clusterId, article_ids: [] }
    moves.set(key, move)
    move.article_ids.push(member.articleId)
  }
  return [...moves.values()]
}

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
