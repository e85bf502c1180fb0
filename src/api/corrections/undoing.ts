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

type UndoingWay = Pick<CorrectionRequested, 'cluster_id' | 'other_cluster_id' | 'article_ids'>

/**
 * Out of `cluster_id`, back into `other_cluster_id`, as the ledger says it was done: only it knows which story a split
 * opened. What was refused moved nothing.
 */
function wayBack(correction: CorrectionRow, done: Undone['done']): UndoingWay {
  if (done === undefined) return wayBackAsRequested(correction)
  const { cluster_id, from_cluster_id: from, article_ids, refused } = done
  if (refused !== null) return nothing(correction)
  return from === null ? wayBackAsRequested(correction) : { cluster_id, other_cluster_id: from, article_ids }
}

function wayBackAsRequested(correction: CorrectionRow): UndoingWay {
  const { action, cluster_id, other_cluster_id, article_ids } = correction
  if (action === 'move')
    return { cluster_id: other_cluster_id ?? cluster_id, other_cluster_id: cluster_id, article_ids }
  if (action === 'merge') return { cluster_id, other_cluster_id, article_ids }
  return nothing(correction)
}

const nothing = ({ cluster_id }: CorrectionRow): UndoingWay => ({ cluster_id, other_cluster_id: null, article_ids: [] })
