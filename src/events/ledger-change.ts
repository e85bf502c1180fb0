import type { ClusterChange, ChangeType } from './changes.ts'
import type { ArticleClustered, ClusterAction } from './ledger.ts'

/** The types of story changes in the change feed. */
export const CLUSTER_CHANGE_TYPES = [
  'cluster.opened',
  'cluster.grown',
  'cluster.moved',
  'cluster.merged',
  'cluster.split',
  'cluster.settled',
  'cluster.corrected',
] as const satisfies readonly ChangeType[]

export type ClusterChangeType = (typeof CLUSTER_CHANGE_TYPES)[number]

const TYPES: Partial<Record<ClusterAction, ClusterChangeType>> = {
  opened: 'cluster.opened',
  joined: 'cluster.grown',
  merged: 'cluster.merged',
  split: 'cluster.split',
  settled: 'cluster.settled',
  moved: 'cluster.moved',
  corrected: 'cluster.corrected',
}

/** The part of a ledger event that a story change follows from. */
export type AssignmentOrChange = Pick<ArticleClustered, 'action' | 'cluster_id' | 'article_id' | 'change'>

export interface LedgerChange {
  readonly type: ClusterChangeType
  readonly data: ClusterChange
}

/**
 * Converts a ledger record to a story change, for the change feed and `GET /v1/clusters/changes`. `null` for a
 * revision, a reclustered day (its changes have their own records) and a correction that was not applied.
 */
export function ledgerChange({ action, cluster_id, article_id, change }: AssignmentOrChange): LedgerChange | null {
  const type = TYPES[action]
  if (type === undefined || isRefused(change)) return null
  if (change === null)
    return { type, data: { cluster_id, from_cluster_id: null, article_ids: [article_id], ...NO_CORRECTION } }

  const { from_cluster_id, article_ids, correction } = change
  const by =
    correction === null
      ? NO_CORRECTION
      : { correction_id: correction.correction_id, correction_action: correction.action }
  return { type, data: { cluster_id, from_cluster_id, article_ids, ...by } }
}

/** Whether a correction could not be applied. */
export const isRefused = (change: ArticleClustered['change']): boolean => (change?.correction?.refused ?? null) !== null

/**
 * Whether a change moves no article: a day was reclustered, a story has settled, or a correction could not be applied.
 */
export const movesNothing = ({ action, change }: Pick<ArticleClustered, 'action' | 'change'>): boolean =>
  action === 'rebuilt' || action === 'settled' || isRefused(change)

const NO_CORRECTION = { correction_id: null, correction_action: null }
