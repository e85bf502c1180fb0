import { webhooksDelivered, type WebhookDelivered } from '../../events/webhooks.ts'
import type { Row } from '../../ports/store.ts'
import { on, type View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { pick, placed } from '../rows.ts'

/** What became of deliveries; the caller of a test reads its result at once. Which endpoints there are is no view's: secrets stand in the log alone, sealed. */
export const webhooks: View = {
  name: 'webhooks',
  asTheyCome: true,
  projections: [
    on(webhooksDelivered, (input) => placed(input, [{ table: 'deliveries', row: deliveryRow(input.event) }])),
  ],
}

const deliveryRow = (event: WebhookDelivered): Row => ({
  ...pick(event, 'namespace', 'webhook_id', 'delivery_id', 'event_id', 'change_id', 'type', 'attempt', 'outcome'),
  ...pick(event, 'status_code', 'error', 'duration_ms', 'payload'),
  occurred_at: instant(event.occurred_at),
  next_attempt_at: instantOrNull(event.next_attempt_at),
})
