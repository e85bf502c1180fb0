import { correctionsRequested, type CorrectionRequested } from '../../events/settings.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { placeOf } from '../place.ts'

/** What curators asked for. What became of it is in the view `clusters`. */
export const corrections: View = {
  name: 'corrections',
  asTheyCome: true,
  projections: [
    on(correctionsRequested, (input) => [
      { table: 'corrections', row: { ...requestRow(input.event), ...placeOf(input) } },
    ]),
  ],
}

const requestRow = (event: CorrectionRequested): Row => ({
  namespace: event.namespace,
  event_id: event.event_id,
  correction_id: event.correction_id,
  action: event.action,
  cluster_id: event.cluster_id,
  other_cluster_id: event.other_cluster_id,
  article_ids: event.article_ids,
  reason: event.reason,
  key_id: event.key_id,
  requested_at: instant(event.occurred_at),
})
