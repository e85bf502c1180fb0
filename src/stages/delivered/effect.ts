import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { isChannelId } from '../../domain/monitors/messages.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Outbound } from '../../ports/http.ts'
import type { Effect, Task } from '../../runtime/shapes.ts'
import type { SettingChange } from '../../state/settings/change-setting.ts'
import type { WebhookBook } from '../../state/settings/webhooks.ts'
import { readableSecrets, unreadableWarning, type Seal } from '../../state/settings/secrets.ts'
import type { UpToDate } from '../../state/settings/book.ts'
import { STAGES } from '../../events/stages.ts'
import type { SettingOwner } from '../../state/settings/has-live-key.ts'
import { channelAttempts, type ChannelDispatching } from './channels/effect.ts'
import { reasonToDisable, type EffectReason } from './reason-to-disable.ts'
import { replyOf } from './reply.ts'
import {
  cancelled,
  isPostponed,
  progressOf,
  SecretUnreadable,
  tooMany,
  verdict,
  type DeliveryReply,
} from './verdict.ts'

export interface Dispatching {
  readonly channels: ChannelDispatching
  readonly endpoints: UpToDate<WebhookBook>
  readonly outbound: Pick<Outbound, 'post'>
  readonly unseal: Seal['unseal']
  /** The `webhook-signature` header: one signature per secret. */
  readonly signatures: (
    signed: { readonly id: string; readonly timestamp: number; readonly body: string },
    secrets: readonly string[],
  ) => string
  /** Returns a check whether any valid key may read what an endpoint or a monitor's channels are sent. */
  readonly liveKeyCheck: () => Promise<(owned: SettingOwner) => boolean>
  /** Changes an endpoint that others may change concurrently. */
  readonly change: (id: string, change: SettingChange<WebhookChanged, 'left_alone'>) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
  /** The wait before each attempt, milliseconds. Its length is the number of attempts. */
  readonly retryMs: readonly number[]
  /** Called for an internal error: an attempt could not be made. */
  readonly onInternal: (cause: unknown, receiver: string) => void
}

/** The consumer group of the effect. */
export const DELIVERING = 'delivering'
const AT_ONCE = 4
const MOST_WAITING = 10_000

/** Attempts planned deliveries to endpoints and channels of monitors until they are delivered or given up. */
export const dispatching = (dispatching: Dispatching): Effect<WebhookDelivered> => {
  const attemptChannel = channelAttempts(dispatching)
  return {
    name: STAGES.delivered.stage,
    group: DELIVERING,
    follows: webhooksDelivered,
    about: ({ delivery_id }) => delivery_id,
    progress: progressOf,
    dueAt: ({ outcome, next_attempt_at }) =>
      outcome === 'planned' || outcome === 'failed' ? (next_attempt_at ?? 0) : null,
    wentWell,
    lane: ({ webhook_id }) => webhook_id,
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    tooMany: (input) => tooMany(input, dispatching.clock.now()),
    attempt: async (task, signal) => {
      const isToChannel = isChannelId(task.input.event.webhook_id)
      const event = await (isToChannel ? attemptChannel(task, signal) : attempt(task, dispatching, signal))
      return { event, outcome: isPostponed(event) ? 'postponed' : event.outcome }
    },
  }
}

function wentWell(event: WebhookDelivered): boolean | null {
  if (event.outcome === 'delivered') return true
  return isWithoutAttempt(event) ? null : false
}

const isWithoutAttempt = (event: WebhookDelivered): boolean =>
  event.outcome === 'planned' ||
  event.outcome === 'cancelled' ||
  event.error === 'too_many_waiting' ||
  isPostponed(event)

async function attempt(
  task: Task<WebhookDelivered>,
  with_: Dispatching,
  signal: AbortSignal,
): Promise<WebhookDelivered> {
  const { clock, retryMs } = with_
  const { event } = task.input
  const endpoint = await receiverOf(event, with_)
  if (endpoint === null) return cancelled(task.input, clock.now())

  const startedAt = clock.now()
  const reply = await send(endpoint, { event, signal }, with_)
  const made = verdict(task.input, { reply, startedAt, endedAt: clock.now() }, retryMs)
  const reason = reasonToDisable(made, task, retryMs)
  // the attempt is recorded in any case, so that it is not sent again; the next such failure tries to disable again
  if (reason !== null)
    await disable(endpoint, reason, with_).catch((cause: unknown) => with_.onInternal(cause, endpoint.webhook_id))
  return made
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

const send = (
  endpoint: WebhookChanged,
  { event, signal }: { readonly event: WebhookDelivered; readonly signal: AbortSignal },
  with_: Dispatching,
): Promise<DeliveryReply> =>
  replyOf(
    async () => {
      const request = { headers: headersOf(endpoint, event, with_), body: event.payload }
      return with_.outbound.post(endpoint.url, request, signal)
    },
    { signal, onInternal: (cause) => with_.onInternal(cause, endpoint.webhook_id) },
  )

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
