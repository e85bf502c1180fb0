import type { CorrectionRequested } from '../../../events/settings.ts'
import { NO_CHANGE, type ChangedStories } from '../ledger.ts'
import type { ClusteredStories } from '../memory.ts'
import type { ClusteringModel } from '../../../language/clustering/model.ts'
import type { RememberedMember } from '../changelog.ts'
import {
  keepApart,
  merge,
  move,
  split,
  type CorrectionEffect,
  type ClusteredRefusal,
  type ClusteredMove,
} from './effects.ts'

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
