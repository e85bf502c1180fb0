import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { correctionOutcomes, type CorrectionOutcome } from '../../views/corrections/queries.ts'

const POLL_MS = 200
/** Longer than a request takes to become readable, shorter than a client waits. */
const PATIENCE_MS = 5_000

interface AwaitedCorrection {
  readonly namespace: string
  readonly correction_id: string
  /** What was asked for last: the correction, or its undoing. */
  readonly what: 'correction' | 'undoing'
}

/** What the ledger says of a correction once it says what was asked for, or when that takes too long. */
export async function outcomeSoon(
  { namespace, correction_id, what }: AwaitedCorrection,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<readonly CorrectionOutcome[]> {
  const isIt = ({ correction_action }: CorrectionOutcome): boolean =>
    (correction_action === 'undo') === (what === 'undoing')
  const until = clock.now() + PATIENCE_MS
  for (;;) {
    const rows = await correctionOutcomes(store)({ namespace, correction_ids: [correction_id] })
    if (rows.some(isIt) || clock.now() >= until) return rows
    await clock.sleep(POLL_MS)
  }
}
