import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { noAnswerReason, type NoAnswer } from '../../domain/no-answer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Outbound } from '../../ports/http.ts'
import type { Attempted, Effect, Task } from '../../runtime/shapes.ts'
import type { SettingChange } from '../../state/settings/change-setting.ts'
import type { WebhookBook } from '../../state/settings/webhooks.ts'
import { readableSecrets, unreadableWarning, type Seal } from '../../state/settings/secrets.ts'
import type { UpToDate } from '../../state/settings/book.ts'
import { STAGES } from '../../events/stages.ts'
import { cancelled, tooMany, verdict, type DeliveryReply, SecretUnreadable } from './verdict.ts'

export interface Dispatching {
  readonly endpoints: UpToDate<WebhookBook>
  readonly outbound: Pick<Outbound, 'post'>
  readonly unseal: Seal['unseal']
  /** The `webhook-signature` header: one signature per secret. */
  readonly signatures: (
    signed: { readonly id: string; readonly timestamp: number; readonly body: string },
    secrets: readonly string[],
  ) => string
  /** Returns a check whether any valid key may read what an endpoint is sent. */
  readonly liveKeyCheck: () => Promise<(endpoint: WebhookChanged) => boolean>
  /** Changes an endpoint that others may change concurrently. */
  readonly change: (id: string, change: SettingChange<WebhookChanged, 'left_alone'>) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
  /** The wait before each attempt, milliseconds. Its length is the number of attempts. */
  readonly retryMs: readonly number[]
  /** Called for an internal error: an attempt could not be made. */
  readonly onInternal: (cause: unknown, webhookId: string) => void
}

/** The consumer group of the effect. */
export const DELIVERING = 'delivering'
const AT_ONCE = 4
const MOST_WAITING = 10_000

/** Attempts planned deliveries until they are delivered or given up. */
export const dispatching = (dispatching: Dispatching): Effect<WebhookDelivered> => ({
  name: STAGES.delivered.stage,
  group: DELIVERING,
  follows: webhooksDelivered,
  about: ({ delivery_id }) => delivery_id,
  progress: ({ attempt }) => attempt,
  dueAt: ({ outcome, next_attempt_at }) =>
    outcome === 'planned' || outcome === 'failed' ? (next_attempt_at ?? 0) : null,
  wentWell,
  lane: ({ webhook_id }) => webhook_id,
  atOnce: AT_ONCE,
  mostWaiting: MOST_WAITING,
  tooMany: (input) => tooMany(input, dispatching.clock.now()),
  attempt: (task, signal) => attempt(task, dispatching, signal),
})

function wentWell({ outcome, error }: WebhookDelivered): boolean | null {
  if (outcome === 'delivered') return true
  if (outcome === 'planned' || outcome === 'cancelled' || error === 'too_many_waiting') return null
  return false
}

async function attempt(
  task: Task<WebhookDelivered>,
  with_: Dispatching,
  signal: AbortSignal,
): Promise<Attempted<WebhookDelivered>> {
  const { clock, retryMs } = with_
  const { event } = task.input
  const endpoint = await receiverOf(event, with_)
  if (endpoint === null) return named(cancelled(task.input, clock.now()))

  const startedAt = clock.now()
  const reply = await send(endpoint, { event, signal }, with_)
  const made = verdict(task.input, { reply, startedAt, endedAt: clock.now() }, retryMs)
  const reason = reasonToDisable(made, task, retryMs)
  // the attempt is recorded in any case, so that it is not sent again; the next such failure tries to disable again
  if (reason !== null)
    await disable(endpoint, reason, with_).catch((cause: unknown) => with_.onInternal(cause, endpoint.webhook_id))
  return named(made)
}

/** The endpoint's current configuration. `null` if it is disabled or deleted, or no key may read what it is sent. */
async function receiverOf(
  { webhook_id }: WebhookDelivered,
  { endpoints, liveKeyCheck }: Dispatching,
): Promise<WebhookChanged | null> {
  const endpoint = (await endpoints.now()).get(webhook_id)
  if (endpoint?.status !== 'active') return null
  return (await liveKeyCheck())(endpoint) ? endpoint : null
}

const named = (event: WebhookDelivered): Attempted<WebhookDelivered> => ({ event, outcome: event.outcome })

async function send(
  endpoint: WebhookChanged,
  { event, signal }: { readonly event: WebhookDelivered; readonly signal: AbortSignal },
  with_: Dispatching,
): Promise<DeliveryReply> {
  try {
    const request = { headers: headersOf(endpoint, event, with_), body: event.payload }
    return await with_.outbound.post(endpoint.url, request, signal)
  } catch (cause) {
    if (signal.aborted) throw cause // neither the receiver's fault nor to be recorded
    const error = noAnswerReason(cause)
    if (INTERNAL_ERRORS.has(error)) with_.onInternal(cause, endpoint.webhook_id)
    return { status: null, error }
  }
}

const INTERNAL_ERRORS: ReadonlySet<NoAnswer> = new Set(['internal', 'secret_unreadable'])

/** Standard Webhooks: signs with every secret that has not expired. */
function headersOf(endpoint: WebhookChanged, { change_id, payload }: WebhookDelivered, with_: Dispatching) {
  const now = with_.clock.now()
  const timestamp = Math.floor(now / 1000)
  const secrets = readableSecrets(endpoint, with_.unseal, now)
  if (secrets.length === 0) throw new SecretUnreadable(unreadableWarning([endpoint.webhook_id]))
  return {
    'content-type': 'application/json',
    'user-agent': 'story-intelligence-service',
    'webhook-id': change_id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': with_.signatures({ id: change_id, timestamp, body: payload }, secrets),
  }
}

interface EffectReason {
  readonly reason: 'gone' | 'failing'
  /** The endpoint is not disabled if its owner changed it after this time. */
  readonly since: number
}

/** The endpoint is disabled if it answered 410, or accepted nothing for as long as one delivery is retried. */
function reasonToDisable(
  { outcome, occurred_at }: WebhookDelivered,
  { since, laneWentWellAt }: Task<WebhookDelivered>,
  retryMs: readonly number[],
): EffectReason | null {
  if (outcome === 'gone') return { reason: 'gone', since: Infinity }
  if (since === null || laneWentWellAt >= since) return null // success before `since` is unknown
  const isOver = outcome === 'failed' && occurred_at - since > retryMs.reduce((sum, ms) => sum + ms, 0) * TOLERANCE
  return outcome === 'given_up' || isOver ? { reason: 'failing', since } : null
}

/** Tolerance for jitter: a delivery that does not wait for others is given up before this. */
const TOLERANCE = 1.25

/** Keeps concurrent changes by the owner: deletion, reactivation or a new URL. */
async function disable(endpoint: WebhookChanged, { reason, since }: EffectReason, with_: Dispatching): Promise<void> {
  const updated_at = with_.clock.now()
  await with_.change(endpoint.webhook_id, {
    refusal: (now) => {
      const isOther = now?.status !== 'active' || now.url !== endpoint.url
      return isOther || now.updated_at > since ? 'left_alone' : null
    },
    become: (now) => ({ ...now, status: 'disabled', disabled_reason: reason, updated_at }),
  })
}
