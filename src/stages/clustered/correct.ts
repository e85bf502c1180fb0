import type { CorrectionRequested } from '../../events/settings.ts'
import { NO_CHANGE, type ChangedStories } from './ledger.ts'
import type { ClusteredStories } from './memory.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'
import type { EvictedArticle } from './assignments.ts'
import type { RememberedMember, Constraint } from './changelog.ts'
import { clusterId } from '../../events/ids.ts'
import { nearestMembers } from './live-index.ts'
import { reconciled } from './rebuild/unit.ts'

export interface Corrected {
  readonly changed: readonly ChangedStories[]
  /** The members after the correction. */
  readonly members: readonly RememberedMember[]
  /** The evicted articles after the correction. */
  readonly rows: readonly EvictedArticle[]
}

/** The stories in memory, and the articles of a request that were evicted. */
export interface CorrectedStories extends Pick<ClusteredStories, 'members' | 'clusters'> {
  readonly evicted: ReadonlyMap<string, EvictedArticle>
}

/** Applies a curator's correction, or returns why it cannot be applied. Either result is recorded in the ledger. */
export function correct(
  stories: CorrectedStories,
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
  return { changed, members, rows: movedRows(stories, request, moves) }
}

/** Evicted articles find the story that a correction moved them to. */
function movedRows(
  { members, evicted }: CorrectedStories,
  { namespace }: CorrectionRequested,
  moves: readonly ClusteredMove[],
): EvictedArticle[] {
  return moves.flatMap(({ to, article_ids }) =>
    article_ids
      .filter((id) => !members.has(id))
      .map((id) => ({ ...(evicted.get(id) ?? unknownArticle(namespace, id)), cluster_id: to })),
  )
}

/** Evicted by a version that kept no rows. */
const unknownArticle = (namespace: string, article_id: string): EvictedArticle => ({
  namespace,
  article_id,
  cluster_id: '',
  seen: [],
  subject_id: null,
})

/** The recluster never undoes a curator's assignment. */
const CERTAIN = 1

const EFFECTS: Readonly<
  Record<
    CorrectionRequested['action'],
    (stories: CorrectedStories, request: CorrectionRequested) => CorrectionEffect | ClusteredRefusal
  >
> = { move, merge, split, keep_apart: keepApart, undo }

const isRefusal = (effect: CorrectionEffect | ClusteredRefusal): effect is ClusteredRefusal => 'refused' in effect

/**
 * Undoes a correction: its constraints are removed, and the articles it moved return to their previous story unless a
 * newer correction moved them on. Articles no longer in memory move as the request says: from `cluster_id` to
 * `other_cluster_id`.
 */
function undo(stories: CorrectedStories, request: CorrectionRequested): CorrectionEffect | ClusteredRefusal {
  const { correction_id, cluster_id, other_cluster_id, article_ids } = request
  const marked = [...stories.members.values()]
    .filter(({ constraints }) => constraints.some((one) => one.correction_id === correction_id))
    .sort((a, b) => a.order - b.order) // a restart changes their order in memory
  const members = marked.map((member) => returned(member, correction_id))
  const back = members.map((member, i) => ({ member, from: marked[i]?.clusterId ?? member.clusterId }))
  const lost = article_ids.filter((id) => !stories.members.has(id) && storyOf(stories, id, cluster_id) === cluster_id)
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

/** Articles that a correction moves from one story to another. They need not be in memory. */
export interface ClusteredMove {
  readonly from: string
  readonly to: string
  readonly article_ids: readonly string[]
}

export interface CorrectionEffect {
  /** Empty if nothing moves and only the constraints apply. */
  readonly moves: readonly ClusteredMove[]
  /** The members in memory, after the correction. */
  readonly members: readonly RememberedMember[]
}

/** The reason why a correction cannot be applied; a constant. */
export interface ClusteredRefusal {
  readonly refused: 'article_moved' | 'same_story' | 'story_gone' | 'nothing_left' | 'unknown_correction'
}

type ClusteredRequest = Omit<CorrectionRequested, 'event_id' | 'occurred_at' | 'reason' | 'key_id'>

/**
 * Moves articles to another story. They are bound to the nearest article there and kept apart from the story they
 * leave.
 */
export function move(stories: CorrectedStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
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

/** The member of a story that is nearest in time to the first of the articles. */
function nearest(
  stories: CorrectedStories,
  id: string,
  [first]: readonly RememberedMember[],
): readonly RememberedMember[] {
  const story = stories.clusters.get(id)
  return story === undefined || first === undefined ? [] : nearestMembers(story, first.features.time, 1)
}

/** Moves all articles of the other story into this one and binds the two together. */
export function merge(stories: CorrectedStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
  const { cluster_id: to, other_cluster_id: from, correction_id } = request
  if (from === null || from === to) return { refused: 'same_story' }
  const own = membersOf(stories, to)
  const theirs = membersOf(stories, from)
  const requested = request.article_ids.filter((id) => storyOf(stories, id, from) === from)
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

/** Splits articles off into a story of their own. */
export function split(stories: CorrectedStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
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

/** Keeps two stories apart permanently. */
export function keepApart(stories: CorrectedStories, request: ClusteredRequest): CorrectionEffect | ClusteredRefusal {
  const { cluster_id, other_cluster_id, correction_id } = request
  if (other_cluster_id === null || cluster_id === other_cluster_id) return { refused: 'same_story' }
  const [left, right] = [membersOf(stories, cluster_id), membersOf(stories, other_cluster_id)]
  if (left.length === 0 || right.length === 0) return { refused: 'story_gone' } // merged, or no longer in memory
  return {
    moves: [],
    members: [
      ...left.map((one) => marked(one, { correction_id, roles: ['left'] })),
      ...right.map((one) => marked(one, { correction_id, roles: ['right'] })),
    ],
  }
}

/** Without `together` constraints of earlier corrections. */
const loose = (members: readonly RememberedMember[]): RememberedMember[] =>
  members.map((one) => ({ ...one, constraints: one.constraints.filter(({ role }) => role !== 'together') }))

const membersOf = (stories: CorrectedStories, id: string): readonly RememberedMember[] =>
  stories.clusters.get(id)?.members ?? []

/** The story of an article, in memory or evicted; `otherwise` if neither is known. */
const storyOf = ({ members, evicted }: CorrectedStories, id: string, otherwise: string): string =>
  members.get(id)?.clusterId ?? evicted.get(id)?.cluster_id ?? otherwise

interface Parted {
  readonly mine: readonly RememberedMember[]
  readonly others: readonly RememberedMember[]
  /** Already in another story. */
  readonly gone: readonly string[]
}

function parted(stories: CorrectedStories, from: string, articleIds: readonly string[]): Parted {
  const requested = new Set(articleIds)
  const members = membersOf(stories, from)
  return {
    mine: members.filter(({ articleId }) => requested.has(articleId)),
    others: members.filter(({ articleId }) => !requested.has(articleId)),
    gone: articleIds.filter((id) => storyOf(stories, id, from) !== from),
  }
}

interface Mark {
  readonly correction_id: string
  readonly roles: readonly Constraint['role'][]
  /** The story from which the correction moves it; absent if it stays. */
  readonly from?: string
}

function marked(member: RememberedMember, { correction_id, roles, from }: Mark): RememberedMember {
  const added = roles.map((role): Constraint => ({ correction_id, role, from_cluster_id: from ?? null }))
  return { ...member, constraints: [...member.constraints, ...added] }
}
