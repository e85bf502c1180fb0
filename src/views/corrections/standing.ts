import type { CorrectionOutcome } from './queries.ts'

export type CorrectionStatus = 'applied' | 'pending' | 'refused' | 'undone'

export interface CorrectionStanding {
  readonly status: CorrectionStatus
  /** The constant that says why it could not be done. */
  readonly refused_because: string | null
}

/** How a correction stands, by what the ledger says of it and of its undoing. */
export function standing(correctionId: string, ledger: readonly CorrectionOutcome[]): CorrectionStanding {
  const own = ledger.filter(({ correction_id }) => correction_id === correctionId)
  const done = own.find(({ correction_action }) => correction_action !== 'undo')
  if (done === undefined) return { status: 'pending', refused_because: null }
  if (done.refused !== null) return { status: 'refused', refused_because: done.refused }
  const undone = own.some(({ correction_action, refused }) => correction_action === 'undo' && refused === null)
  return { status: undone ? 'undone' : 'applied', refused_because: null }
}
