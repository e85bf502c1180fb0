import { webhooksDelivered, type WebhookDelivered } from '../../events/webhooks.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { placeOf } from '../place.ts'

/** What became of deliveries; the caller of a test reads its result at once. Which endpoints there are is no view's: secrets stand in the log alone, sealed. */
export const webhooks: View = {
  name: 'webhooks',
  asTheyCome: true,
  projections: [
    on(webhooksDelivered, (input) => [
      { table: 'deliveries', row: { ...deliveryRow(input.event), ...placeOf(input) } },
    ]),
  ],
}

const deliveryRow = (event: WebhookDelivered): Row => ({
  namespace: event.namespace,
  webhook_id: event.webhook_id,
  delivery_id: event.delivery_id,
  event_id: event.event_id,
  change_id: event.change_id,
  type: event.type,
  attempt: event.attempt,
  outcome: event.outcome,
  status_code: event.status_code,
  error: event.error,
  duration_ms: event.duration_ms,
  occurred_at: instant(event.occurred_at),
  next_attempt_at: instantOrNull(event.next_attempt_at),
  payload: event.payload,
})
