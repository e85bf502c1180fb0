import type { EventCause } from '../../state/derived-envelope.ts'
import { derivedId, sha256 } from '../../events/ids.ts'
import type { DeliveryOutcome, WebhookDelivered } from '../../events/webhooks.ts'
import { STAGES } from '../../events/stages.ts'
import type { NoAnswer } from '../../domain/no-answer.ts'

/** The response of a receiver, or the reason why there is none. */
export type DeliveryReply =
  | {
      /** Of HTTP or SMTP. */
      readonly status: number
      readonly retryAfterSeconds: number | null
      /** Whether the receiver does not exist any more, besides status 410. */
      readonly isGone?: boolean
      /** Recorded unless the status is 2xx; `http_status` if undefined. */
      readonly error?: 'smtp_status'
    }
  | NoReply

export interface NoReply {
  readonly status: null
  readonly error: NoAnswer
}

/** An attempt. Times are milliseconds since 1970. */
interface Tried {
  readonly reply: DeliveryReply
  readonly startedAt: number
  readonly endedAt: number
}

/** A delivery event and its position in the log. */
interface DeliveredDelivery extends EventCause {
  readonly event: WebhookDelivered
}

const LONGEST_RETRY_AFTER_MS = 86_400_000
const GONE = 410

/** The event that records an attempt. `retryMs`: the wait before each attempt, including the first. */
export function verdict(
  { event, place }: DeliveredDelivery,
  tried: Tried,
  retryMs: readonly number[],
): WebhookDelivered {
  const attempt = event.attempt + 1
  const outcome = outcomeOf(tried.reply, attempt >= retryMs.length)
  const made = recorded({ event: { ...event, attempt }, place }, outcome, tried.endedAt)
  return {
    ...made,
    status_code: tried.reply.status,
    error: errorOf(tried.reply),
    duration_ms: Math.max(0, Math.round(tried.endedAt - tried.startedAt)),
    ...(outcome === 'failed' ? { next_attempt_at: nextAt(made, tried, retryMs), payload: event.payload } : {}),
  }
}

function outcomeOf(reply: DeliveryReply, isLast: boolean): DeliveryOutcome {
  if (isAccepted(reply)) return 'delivered'
  if (reply.status !== null && (reply.status === GONE || reply.isGone === true)) return 'gone'
  return isLast ? 'given_up' : 'failed'
}

export const isAccepted = ({ status }: DeliveryReply): boolean => status !== null && status >= 200 && status < 300

function errorOf(reply: DeliveryReply): string | null {
  if (reply.status === null) return reply.error
  return isAccepted(reply) ? null : (reply.error ?? 'http_status')
}

/**
 * Not before the receiver's `Retry-After`. The jitter is derived from delivery and attempt, so a repeat plans the same
 * time.
 */
function nextAt(event: WebhookDelivered, { reply, endedAt }: Tried, retryMs: readonly number[]): number {
  const wait = (retryMs[event.attempt] ?? 0) * jitter(event)
  const requested = reply.status === null ? 0 : (reply.retryAfterSeconds ?? 0) * 1000
  return Math.round(endedAt + Math.max(wait, Math.min(requested, LONGEST_RETRY_AFTER_MS)))
}

/** A factor from 0.8 to 1.2. */
const jitter = ({ delivery_id, attempt }: WebhookDelivered): number =>
  0.8 + 0.4 * (sha256(`${delivery_id}\n${attempt}`).readUInt32BE(0) / 2 ** 32)

/** Ends a delivery without an attempt, because its endpoint was deleted or disabled. */
export const cancelled = (delivery: DeliveredDelivery, at: number): WebhookDelivered =>
  recorded(delivery, 'cancelled', at)

/** Gives up a delivery because too many wait for this endpoint. It can be requested again. */
export const tooMany = (delivery: DeliveredDelivery, at: number): WebhookDelivered => ({
  ...recorded(delivery, 'given_up', at),
  error: 'too_many_waiting',
})

/** The error of a delivery that waits for the next day. */
const DAILY_LIMIT = 'daily_limit'

/** Lets a delivery wait until a time, without an attempt. It keeps its outcome and its payload. */
export function postponed({ event, place }: DeliveredDelivery, at: number, until: number): WebhookDelivered {
  const { payload, outcome } = event
  const event_id = derivedId(STAGES.delivered, `${event.delivery_id}\n${DAILY_LIMIT} ${until}`, event.attempt)
  const made = recorded({ event, place }, outcome, at)
  return { ...made, event_id, error: DAILY_LIMIT, next_attempt_at: until, payload }
}

export const isPostponed = ({ error }: WebhookDelivered): boolean => error === DAILY_LIMIT

const DAY_MS = 86_400_000
/** More days than since 1970 for a long time. */
const MANY_DAYS = 1_000_000

/**
 * The progress of a delivery: its attempts, and a fraction that is larger the later it was postponed to, so that a
 * postponement is newer than the plan and older than the next attempt.
 */
export const progressOf = (event: WebhookDelivered): number =>
  event.attempt + (isPostponed(event) ? Math.floor((event.next_attempt_at ?? 0) / DAY_MS) / MANY_DAYS : 0)

const recorded = ({ event, place }: DeliveredDelivery, outcome: DeliveryOutcome, at: number): WebhookDelivered => ({
  ...event,
  event_id: derivedId(STAGES.delivered, `${event.delivery_id}\n${outcome}`, event.attempt),
  occurred_at: Math.round(at),
  caused_by: place,
  produced_by: STAGES.delivered,
  outcome,
  status_code: null,
  error: null,
  duration_ms: 0,
  next_attempt_at: null,
  payload: '',
})

/** Nothing that the delivery needs can be unsealed: the secrets of an endpoint, or the target of a channel. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
}
