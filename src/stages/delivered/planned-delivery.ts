import type { ChangePublished } from '../../events/changes.ts'
import { base32, sha256 } from '../../events/ids.ts'
import { STAGES } from '../../events/stages.ts'
import type { WebhookDelivered } from '../../events/webhooks.ts'
import { derivedEnvelope, type EventCause } from '../../state/derived-envelope.ts'

/** A change and when it was logged in the feed. */
export interface FeedRecord extends EventCause {
  readonly event: ChangePublished
  readonly loggedAt: number
}

/** What a webhook endpoint or a channel is sent. */
export interface PlannedMessage {
  /** Id of the endpoint or the channel. */
  readonly receiver: string
  /** The exact body. */
  readonly payload: string
}

/** The delivery of a change to one receiver, due `firstWaitMs` after the change was logged. */
export function plannedDelivery(
  { event: change, place, loggedAt }: FeedRecord,
  { receiver, payload }: PlannedMessage,
  firstWaitMs: number,
): WebhookDelivered {
  const delivery_id = deliveryId(receiver, change.event_id)
  return {
    ...derivedEnvelope(STAGES.delivered, { event: change, place }, delivery_id),
    occurred_at: loggedAt,
    webhook_id: receiver,
    delivery_id,
    change_id: change.event_id,
    type: change.type,
    attempt: 0,
    outcome: 'planned',
    status_code: null,
    error: null,
    duration_ms: 0,
    next_attempt_at: loggedAt + firstWaitMs,
    payload,
  }
}

/** The id of the delivery of one change to one receiver. Planning it again gives the same id. */
const deliveryId = (receiver: string, changeId: string): string =>
  `dlv_${base32(sha256(`${receiver}\n${changeId}`)).slice(0, 26)}`

/** Tolerance between the API's clock and the log's: an extra early change is better than a lost first one. */
const CLOCKS_DIFFER_BY_MS = 10_000

/** Changes logged before a receiver was created are not sent to it. */
export const isLoggedAfterCreation = (receiver: { readonly created_at: number }, loggedAt: number): boolean =>
  receiver.created_at - CLOCKS_DIFFER_BY_MS <= loggedAt
