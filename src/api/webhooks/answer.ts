import type { WebhookChanged } from '../../events/webhooks.ts'
import type { Webhook } from './body.ts'

/** An endpoint as its owner sees it: everything but whose it is, and its secrets. */
export const answerOf = (endpoint: WebhookChanged): Webhook => ({
  id: endpoint.webhook_id,
  url: endpoint.url,
  events: [...endpoint.events],
  filters: {
    entity_ids: [...endpoint.entity_ids],
    min_velocity: endpoint.min_velocity,
    min_assignment_confidence: endpoint.min_assignment_confidence,
    membership: endpoint.membership,
  },
  description: endpoint.description,
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
  created_at: new Date(endpoint.created_at).toISOString(),
  updated_at: new Date(endpoint.updated_at).toISOString(),
})
