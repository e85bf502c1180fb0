import type { ArticleClustered, ClusterAction, CorrectionDone } from '../../events/ledger.ts'
import type { Row } from '../../ports/store.ts'
import { instant } from '../instant.ts'

const TYPES: Partial<Record<ClusterAction, string>> = {
  opened: 'opened',
  joined: 'grown',
  merged: 'merged',
  split: 'split',
  moved: 'moved',
  corrected: 'corrected',
}

/** What a follower of all stories is told of; none of a revision, a rebuilt day, or a correction that was refused. */
export function feedRows(event: ArticleClustered): Row[] {
  const type = TYPES[event.action]
  if (type === undefined || isRefused(event)) return []

  return [
    {
      namespace: event.namespace,
      event_id: event.event_id,
      type,
      cluster_id: event.cluster_id,
      occurred_at: instant(event.occurred_at),
      ...whatCells(event),
    },
  ]
}

const isRefused = ({ change }: ArticleClustered): boolean => (change?.correction?.refused ?? null) !== null

const whatCells = ({ change, article_id, member: { dated } }: ArticleClustered): Row => {
  if (change === null) return { ...NO_CORRECTION, from_cluster_id: null, article_ids: [article_id], dated }
  const { from_cluster_id, article_ids, correction } = change
  return { ...NO_CORRECTION, from_cluster_id, article_ids, dated: false, ...correctionCells(correction) }
}

const NO_CORRECTION: Row = { correction_id: null, correction_action: null }

const correctionCells = (correction: CorrectionDone | null): Row =>
  correction === null ? {} : { correction_id: correction.correction_id, correction_action: correction.action }
