import type { ChangeType } from './changes.ts'
import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

/** A signing secret, sealed (AES-256-GCM under SECRETS_KEY). */
export interface SealedSecret {
  readonly sealed: Buffer
  /** Milliseconds since 1970: the one before the last signs beside it until then; null: the current one. */
  readonly expires_at: number | null
}

export type WebhookStatus = 'active' | 'disabled'

/** `webhooks.changed`: an endpoint as it now is; a tombstone when it was deleted. */
export interface WebhookChanged {
  readonly webhook_id: string
  readonly namespace: string
  /** Of `shared`: the owner of the keys that may see it; empty in a private namespace, whose keys all may. */
  readonly owner: string
  /** The key that made it. */
  readonly key_id: string
  readonly url: string
  readonly events: readonly ChangeType[]
  /** Only changes that touch one of them; empty: all. */
  readonly entity_ids: readonly string[]
  /** Only trends and spikes at least as fast; null: all. Changes without a velocity are not held back by it. */
  readonly min_velocity: number | null
  /** Only changes of stories whose least certain article is at least as certain, 0 to 1; null: all. */
  readonly min_assignment_confidence: number | null
  /** `settled`: only changes of stories whose membership has settled; null: all. Changes of no story are not held back. */
  readonly membership: 'settled' | null
  readonly description: string | null
  readonly status: WebhookStatus
  /** A constant: `gone` (it answered 410), `failing` (given up), `by_owner`, `by_operator`; null while active. */
  readonly disabled_reason: string | null
  /** The current one first; during rotation the one before it too. */
  readonly secrets: readonly SealedSecret[]
  readonly created_at: number
  readonly updated_at: number
}

/**
 * `planned`: is to be attempted at `next_attempt_at`; `failed`: tried, and is tried again then; `delivered`; `gone`: 410, the
 * endpoint takes no more; `given_up`: tried as often as it is; `cancelled`: its endpoint was deleted or disabled meanwhile.
 */
export type DeliveryOutcome = 'planned' | 'failed' | 'delivered' | 'gone' | 'given_up' | 'cancelled'

/**
 * `webhooks.delivered`: what became of the delivery of one change to one endpoint. The newest event of a delivery is the
 * whole of its state, so that the next owner of the partition needs no other.
 */
export interface WebhookDelivered extends Envelope {
  readonly webhook_id: string
  /** The same for all attempts of one delivery; one asked for again has another. */
  readonly delivery_id: string
  /** `event_id` of the change, or the id of a test: goes out as `webhook-id`, the same whenever it is sent. */
  readonly change_id: string
  /** Of the change, or `webhook.test`. */
  readonly type: string
  /** Attempts so far: 0 of one that is planned. */
  readonly attempt: number
  readonly outcome: DeliveryOutcome
  readonly status_code: number | null
  /** A constant: `timeout`, `refused`, `http_status`, `url_not_allowed`, `too_many_waiting` …; null when it went well. */
  readonly error: string | null
  readonly duration_ms: number
  /** Milliseconds since 1970; null: not again. */
  readonly next_attempt_at: number | null
  /** The body to be sent, byte for byte; empty once there is nothing left to send. */
  readonly payload: string
}

/** Between two attempts: the longest that `WEBHOOKS_RETRY_SECONDS` takes, a week, with its jitter of a fifth. */
const LONGEST_WAIT_MS = 1.2 * 7 * 86_400_000

export const webhooksChanged = topic<WebhookChanged>(
  'webhooks.changed',
  (e) => e.webhook_id,
  timesIn('created_at', 'updated_at'),
)
export const webhooksDelivered = topic<WebhookDelivered>(
  'webhooks.delivered',
  (e) => e.webhook_id,
  ({ occurred_at, next_attempt_at }, bound) => ({
    occurred_at: bound(occurred_at),
    // at most the longest wait after its record
    next_attempt_at: next_attempt_at === null ? null : bound(next_attempt_at - LONGEST_WAIT_MS) + LONGEST_WAIT_MS,
  }),
)
