import { trendsDetected, type TrendDetected } from '../../events/trends.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { NOBODY_POLLS_MS, pick, placed } from '../rows.ts'

/** When which story or entity crossed a threshold. */
export const trends: View = {
  name: 'trends',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(trendsDetected, (input) => placed(input, [{ table: 'detections', row: detectionRow(input.event) }])),
  ],
}

const detectionRow = (event: TrendDetected): Row => ({
  ...pick(event, 'namespace', 'type', 'subject_id', 'event_id', 'name', 'category', 'velocity', 'baseline'),
  ...pick(event, 'window_hours', 'count', 'origins', 'p_value', 'sentiment_before', 'sentiment_after', 'low_support'),
  occurred_at: instant(event.occurred_at),
})
