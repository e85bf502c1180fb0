import type { CorrectionRequested } from '../../../events/settings.ts'
import type { ClusteredStories } from '../memory.ts'
import type { RememberedMember } from '../changelog.ts'
import type { CorrectionEffect, ClusteredMove, ClusteredRefusal } from './effects.ts'

/**
 * Takes a correction back: its word does not hold any more, and what it moved returns to where it came from, unless a
 * newer one has moved it on. Articles that memory has lost go as the request says: out of `cluster_id`, into
 * `other_cluster_id`.
 */
export function undo(stories: ClusteredStories, request: CorrectionRequested): CorrectionEffect | ClusteredRefusal {
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
