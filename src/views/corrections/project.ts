import { correctionsRequested, type CorrectionRequested } from '../../events/settings.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { pick, placed } from '../rows.ts'

/** What curators asked for. What became of it is in the view `clusters`. */
export const corrections: View = {
  name: 'corrections',
  asTheyCome: true,
  projections: [
    on(correctionsRequested, (input) => placed(input, [{ table: 'corrections', row: requestRow(input.event) }])),
  ],
}

const requestRow = (event: CorrectionRequested): Row => ({
  ...pick(event, 'namespace', 'event_id', 'correction_id', 'action', 'cluster_id', 'other_cluster_id'),
  ...pick(event, 'article_ids', 'reason', 'key_id'),
  requested_at: instant(event.occurred_at),
})
