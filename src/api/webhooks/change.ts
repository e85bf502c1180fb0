import type { WebhookChanged } from '../../events/webhooks.ts'
import type { NewWebhook, WebhookPatch } from './body.ts'

/** What an endpoint keeps of the filters it was given. */
export const filtersOf = ({
  entity_ids,
  min_velocity,
  min_assignment_confidence,
  membership,
}: NonNullable<NewWebhook['filters']>): Pick<
  WebhookChanged,
  'entity_ids' | 'min_velocity' | 'min_assignment_confidence' | 'membership'
> => ({
  entity_ids: entity_ids ?? [],
  min_velocity: min_velocity ?? null,
  min_assignment_confidence: min_assignment_confidence ?? null,
  membership: membership ?? null,
})

export const wordsOf = (description: string | null | undefined): string | null =>
  description === undefined || description === '' ? null : description

/** The endpoint with what the patch names in place of what was there; `now` in milliseconds since 1970. */
export const patched = (endpoint: WebhookChanged, patch: WebhookPatch, now: number): WebhookChanged => ({
  ...endpoint,
  url: patch.url ?? endpoint.url,
  events: patch.events ?? endpoint.events,
  ...(patch.filters === undefined ? {} : filtersOf(patch.filters)),
  ...(patch.description === undefined ? {} : { description: wordsOf(patch.description) }),
  ...standing(endpoint, patch.status),
  updated_at: now,
})

type EndpointStatus = Pick<WebhookChanged, 'status' | 'disabled_reason'>

/** Disabling a disabled endpoint keeps the reason it was disabled for. */
function standing({ status, disabled_reason }: EndpointStatus, newStatus: WebhookPatch['status']): EndpointStatus {
  if (newStatus === undefined || newStatus === status) return { status, disabled_reason }
  return { status: newStatus, disabled_reason: newStatus === 'active' ? null : 'by_owner' }
}

export const activates = ({ status }: EndpointStatus, patch: WebhookPatch): boolean =>
  status === 'disabled' && patch.status === 'active'
