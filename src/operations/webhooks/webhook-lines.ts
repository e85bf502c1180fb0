import type { WebhookChanged } from '../../events/webhooks.ts'

export interface ChangeOptions {
  readonly json?: true
  readonly dryRun?: true
}

/** An endpoint as an operator sees it: never its secrets. */
export const shown = (webhook: WebhookChanged) => ({
  id: webhook.webhook_id,
  namespace: webhook.namespace,
  owner: webhook.owner === '' ? null : webhook.owner,
  status: webhook.status,
  disabled_reason: webhook.disabled_reason,
  url: webhook.url,
  events: [...webhook.events],
  created_at: new Date(webhook.created_at).toISOString(),
  updated_at: new Date(webhook.updated_at).toISOString(),
})
