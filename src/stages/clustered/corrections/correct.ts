import type { CorrectionRequested } from '../../../events/settings.ts'
import { NO_CHANGE, type ChangedStories } from '../ledger.ts'
import type { ClusteredStories } from '../memory.ts'
import type { ClusteringModel } from '../../../domain/clustering/model.ts'
import type { RememberedMember } from '../changelog.ts'
import { keepApart, merge, move, split, type CorrectionEffect, type ClusteredRefusal } from './effects.ts'
import { undo } from './undo.ts'

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
