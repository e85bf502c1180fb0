import type { CHANNEL_CONFIRMATION } from '../../domain/monitors/messages.ts'
import { derivedId } from '../../events/ids.ts'
import type { WebhookDelivered } from '../../events/webhooks.ts'
import { randomId } from '../http/idempotency.ts'

const BY = { stage: 'monitors', version: '1' }

interface ChannelMessage {
  readonly namespace: string
  readonly channel_id: string
  readonly type: typeof CHANNEL_CONFIRMATION | 'channel.test'
  /** As the channel receives it. */
  readonly payload: string
  readonly now: number
}

/** The planned delivery of a message to one channel, which no change of the feed caused. */
export function plannedMessage({ channel_id, now, ...message }: ChannelMessage): WebhookDelivered {
  const delivery_id = `dlv_${randomId(26)}`
  return {
    ...message,
    event_id: derivedId(BY, delivery_id),
    occurred_at: now,
    caused_by: null,
    produced_by: BY,
    webhook_id: channel_id,
    delivery_id,
    change_id: `evt_${randomId(26)}`,
    attempt: 0,
    outcome: 'planned',
    status_code: null,
    error: null,
    duration_ms: 0,
    next_attempt_at: now,
  }
}
