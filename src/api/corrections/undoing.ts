import { derivedId } from '../../events/ids.ts'
import type { CorrectionRequested } from '../../events/settings.ts'
import type { CorrectionOutcome, CorrectionRow } from '../../views/corrections/queries.ts'
import { BY } from './request.ts'

interface Undone {
  readonly correction: CorrectionRow
  /** What the ledger says became of it; undefined: nothing yet. */
  readonly done: CorrectionOutcome | undefined
}

type By = Pick<CorrectionRequested, 'namespace' | 'key_id' | 'occurred_at'>

/** An undoing has an id of its own that follows from the correction's: asked for twice it is one event. */
export const undoing = ({ correction, done }: Undone, by: By): CorrectionRequested => ({
  ...by,
  ...wayBack(correction, done),
  correction_id: correction.correction_id,
  event_id: derivedId(BY, correction.correction_id, 1),
  action: 'undo',
  reason: null,
})

type Way = Pick<CorrectionRequested, 'cluster_id' | 'other_cluster_id' | 'article_ids'>

/** Out of `cluster_id`, back into `other_cluster_id`: which story a split opened only the ledger knows. */
function wayBack({ action, cluster_id, other_cluster_id, article_ids }: CorrectionRow, done: Undone['done']): Way {
  if (done !== undefined && done.from_cluster_id !== null) {
    return { cluster_id: done.cluster_id, other_cluster_id: done.from_cluster_id, article_ids: done.article_ids }
  }
  const nothing = { cluster_id, other_cluster_id: null, article_ids: [] }
  if (other_cluster_id === null) return nothing
  switch (action) {
    case 'move':
      return { cluster_id: other_cluster_id, other_cluster_id: cluster_id, article_ids }
    case 'merge':
      return { cluster_id, other_cluster_id, article_ids }
    case 'split':
    case 'keep_apart':
      return nothing
  }
}
