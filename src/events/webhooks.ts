import type { ChangeType } from './changes.ts'
import type { Envelope } from './envelope.ts'
import { timesIn, topic } from './topic.ts'

/** A signing secret, encrypted (AES-256-GCM with SECRETS_KEY). */
export interface SealedSecret {
  readonly sealed: Buffer
  /** `null` for the current secret. A previous secret signs in addition until this time, milliseconds since 1970. */
  readonly expires_at: number | null
}

export type WebhookStatus = 'active' | 'disabled'

/** `webhooks.changed`: the current state of an endpoint; a tombstone if it was deleted. */
export interface WebhookChanged {
  readonly webhook_id: string
  readonly namespace: string
  /**
   * For `shared`: the owner of the keys that may see the endpoint. Empty in a private namespace, where all keys may.
   */
  readonly owner: string
  /** The key that created it. */
  readonly key_id: string
  readonly url: string
  readonly events: readonly ChangeType[]
  /** Filter: only changes that concern one of these entities; empty for all. */
  readonly entity_ids: readonly string[]
  /**
   * Filter: only trends and spikes of at least this velocity; `null` for all. Changes without a velocity always pass.
   */
  readonly min_velocity: number | null
  /**
   * Filter: only changes of stories whose least certain article has at least this confidence, 0 to 1; `null` for all.
   */
  readonly min_assignment_confidence: number | null
  /** Filter: `settled` for settled stories only; `null` for all. Changes that concern no story always pass. */
  readonly membership: 'settled' | null
  /** Filter: only changes whose title has these words, as in `MonitorConditions.query`; empty for all. */
  readonly query: string
  /** Filter: only changes that concern an entity with one of these canonical names, lower case; empty for all. */
  readonly entity_names: readonly string[]
  /**
   * Filter: only changes of stories with at least this many independent sources; `null` for all. Changes that concern no
   * story always pass.
   */
  readonly min_origins: number | null
  /** Filter: only matches of these monitors; empty for all. Changes that concern no monitor always pass. */
  readonly monitor_ids: readonly string[]
  readonly description: string | null
  readonly status: WebhookStatus
  /**
   * A constant: `gone` (returned 410), `failing` (deliveries were given up), `by_owner`, `by_operator`; `null` while
   * active.
   */
  readonly disabled_reason: string | null
  /** The current secret first; during a rotation also the previous one. */
  readonly secrets: readonly SealedSecret[]
  readonly created_at: number
  readonly updated_at: number
}

/** Filters that every change passes. */
export const NO_WEBHOOK_FILTERS = {
  entity_ids: [],
  min_velocity: null,
  min_assignment_confidence: null,
  membership: null,
  query: '',
  entity_names: [],
  min_origins: null,
  monitor_ids: [],
} as const satisfies Partial<WebhookChanged>

/**
 * `planned`: the first attempt is scheduled for `next_attempt_at`. `failed`: the last attempt failed, the next is
 * scheduled. `delivered`. `gone`: the endpoint returned 410. `given_up`: the last retry failed. `cancelled`: the
 * endpoint was deleted or disabled meanwhile.
 */
export type DeliveryOutcome = 'planned' | 'failed' | 'delivered' | 'gone' | 'given_up' | 'cancelled'

/**
 * `webhooks.delivered`: the state of the delivery of one change to one endpoint or channel of a monitor. The newest event of a delivery
 * contains its complete state, so that a new owner of the partition needs no other.
 */
export interface WebhookDelivered extends Envelope {
  /** Of the endpoint, or the `channel_id` of a monitor's channel. */
  readonly webhook_id: string
  /** Shared by all attempts of one delivery. A redelivery on request has a new id. */
  readonly delivery_id: string
  /** `event_id` of the change, or the id of a test. Sent as `webhook-id`, the same for every attempt. */
  readonly change_id: string
  /** Type of the change, `webhook.test`, or `channel.confirmation`, which asks to confirm an e-mail address. */
  readonly type: string
  /** Attempts so far; 0 for a planned delivery. */
  readonly attempt: number
  readonly outcome: DeliveryOutcome
  readonly status_code: number | null
  /** A constant: `timeout`, `refused`, `http_status`, `url_not_allowed`, `too_many_waiting`, `daily_limit` …; `null` on success. */
  readonly error: string | null
  readonly duration_ms: number
  /** Milliseconds since 1970; `null` if there is no further attempt. */
  readonly next_attempt_at: number | null
  /** The exact body to send; empty once there is nothing left to send. */
  readonly payload: string
}

/** Maximum time between two attempts: the maximum of `WEBHOOKS_RETRY_SECONDS` (a week) plus 20 % jitter. */
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
    // at most the maximum retry interval after its record
    next_attempt_at: next_attempt_at === null ? null : bound(next_attempt_at - LONGEST_WAIT_MS) + LONGEST_WAIT_MS,
  }),
)
