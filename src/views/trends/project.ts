import { trendsDetected, type TrendDetected } from '../../events/trends.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant } from '../instant.ts'
import { placeOf } from '../place.ts'
import { NOBODY_POLLS_MS } from '../wait.ts'

/** When which story or entity crossed a threshold. */
export const trends: View = {
  name: 'trends',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(trendsDetected, (input) => [{ table: 'detections', row: { ...detectionRow(input.event), ...placeOf(input) } }]),
  ],
}

const detectionRow = (event: TrendDetected): Row => ({
  namespace: event.namespace,
  type: event.type,
  subject_id: event.subject_id,
  event_id: event.event_id,
  name: event.name,
  category: event.category,
  occurred_at: instant(event.occurred_at),
  velocity: event.velocity,
  baseline: event.baseline,
  window_hours: event.window_hours,
  count: event.count,
  origins: event.origins,
  p_value: event.p_value,
  sentiment_before: event.sentiment_before,
  sentiment_after: event.sentiment_after,
  low_support: event.low_support,
})
