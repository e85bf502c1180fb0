import type { ArticleClustered } from '../../events/ledger.ts'
import { ledgerChange } from '../../events/ledger-change.ts'
import type { Row } from '../../ports/store.ts'
import { instant } from '../instant.ts'

/** The changes that a follower of all stories receives. */
export function feedRows(event: ArticleClustered): Row[] {
  const change = ledgerChange(event)
  if (change === null) return []

  return [
    {
      namespace: event.namespace,
      event_id: event.event_id,
      type: change.type.slice('cluster.'.length),
      occurred_at: instant(event.occurred_at),
      dated: event.change === null && event.member.dated,
      ...change.data,
    },
  ]
}
