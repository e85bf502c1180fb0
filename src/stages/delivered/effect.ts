import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Outbound } from '../../ports/http.ts'
import type { Attempted, Effect, Input, Task } from '../../runtime/shapes.ts'
import type { Seal } from '../../settings/seal.ts'
import type { UpToDate } from '../../settings/up-to-date.ts'
import type { WebhookBook } from '../../settings/webhook-book.ts'
import { BY } from './by.ts'
import { SESSION_MS } from './stage.ts'
import { cancelled, tooMany, verdict, type Delivery, type Reply } from './verdict.ts'
import { whyNot } from './why-not.ts'

export interface Dispatching {
  readonly endpoints: UpToDate<WebhookBook>
  readonly outbound: Pick<Outbound, 'post'>
  readonly unseal: Seal['unseal']
  /** The header `webhook-signature`: one signature a secret. */
  readonly signatures: (
    signed: { readonly id: string; readonly timestamp: number; readonly body: string },
    secrets: readonly string[],
  ) => string
  /** Writes an endpoint as it now is. */
  readonly publish: (endpoint: WebhookChanged) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
  /** The wait before each attempt, milliseconds; as many attempts as there are. */
  readonly retryMs: readonly number[]
  /** Our own fault: an attempt could not even be made. */
  readonly onInternal: (cause: unknown, webhookId: string) => void
}

const AT_ONCE = 4
const MOST_WAITING = 10_000
/** A deletion, a rotation is heard of that soon. */
const ENDPOINTS_AGE_MS = 1_000

/** Attempts what is planned, until it is delivered or given up. */
export const dispatching = (dispatching: Dispatching): Effect<WebhookDelivered> => ({
  name: BY.stage,
  group: 'delivering',
  sessionMs: SESSION_MS,
  follows: webhooksDelivered,
  about: ({ delivery_id }) => delivery_id,
  progress: ({ attempt }) => attempt,
  dueAt: ({ outcome, next_attempt_at }) =>
    outcome === 'planned' || outcome === 'failed' ? (next_attempt_at ?? 0) : null,
  wentWell,
  lane: ({ webhook_id }) => webhook_id,
  atOnce: AT_ONCE,
  mostWaiting: MOST_WAITING,
  tooMany: (input) => tooMany(deliveryOf(input), dispatching.clock.now()),
  attempt: async (task, signal) => await attempt(task, dispatching, signal),
})

function wentWell({ outcome, error }: WebhookDelivered): boolean | null {
  if (outcome === 'delivered') return true
  if (outcome === 'planned' || outcome === 'cancelled' || error === 'too_many_waiting') return null
  return false
}

const deliveryOf = ({ event, place }: Input<WebhookDelivered>): Delivery => ({ event, place })

async function attempt(
  task: Task<WebhookDelivered>,
  with_: Dispatching,
  signal: AbortSignal,
): Promise<Attempted<WebhookDelivered>> {
  const { clock, endpoints, retryMs } = with_
  const { event } = task.input
  const known = (await endpoints.within(ENDPOINTS_AGE_MS)).get(event.webhook_id)
  const endpoint = known ?? (await endpoints.now()).get(event.webhook_id)
  if (endpoint?.status !== 'active') return named(cancelled(deliveryOf(task.input), clock.now()))

  const startedAt = clock.now()
  const reply = await ask(endpoint, { event, signal }, with_)
  const made = verdict(deliveryOf(task.input), { reply, startedAt, endedAt: clock.now() }, retryMs)
  const reason = reasonToDisable(made, task)
  if (reason !== null) await disable({ asked: endpoint, reason, since: task.since }, with_)
  return named(made)
}

const named = (event: WebhookDelivered): Attempted<WebhookDelivered> => ({ event, outcome: event.outcome })

interface Asking {
  readonly event: WebhookDelivered
  readonly signal: AbortSignal
}

async function ask(endpoint: WebhookChanged, { event, signal }: Asking, with_: Dispatching): Promise<Reply> {
  try {
    const request = { headers: headersOf(endpoint, event, with_), body: event.payload }
    return await with_.outbound.post(endpoint.url, request, signal)
  } catch (cause) {
    if (signal.aborted) throw cause // not the receiver's fault, and not for us to tell
    const error = whyNot(cause)
    if (error === 'internal') with_.onInternal(cause, endpoint.webhook_id)
    return { status: null, error }
  }
}

/** Standard Webhooks: every secret that has not expired signs. */
function headersOf(endpoint: WebhookChanged, { change_id, payload }: WebhookDelivered, with_: Dispatching) {
  const now = with_.clock.now()
  const timestamp = Math.floor(now / 1000)
  const secrets = endpoint.secrets
    .filter(({ expires_at }) => expires_at === null || expires_at > now)
    .map(({ sealed }) => with_.unseal(sealed, endpoint.webhook_id))
  return {
    'content-type': 'application/json',
    'user-agent': 'story-intelligence-service',
    'webhook-id': change_id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': with_.signatures({ id: change_id, timestamp, body: payload }, secrets),
  }
}

type Reason = 'gone' | 'failing'

/** An endpoint that answered 410, or one to which nothing got through for as long as one delivery was tried. */
function reasonToDisable(
  { outcome }: WebhookDelivered,
  { since, laneWentWellAt }: Task<WebhookDelivered>,
): Reason | null {
  if (outcome === 'gone') return 'gone'
  return outcome === 'given_up' && laneWentWellAt < since ? 'failing' : null
}

interface Disabling {
  /** The endpoint as it was asked. */
  readonly asked: WebhookChanged
  readonly reason: Reason
  readonly since: number
}

/** What its owner has done meanwhile holds: it was deleted, mended, sent elsewhere. */
async function disable({ asked, reason, since }: Disabling, with_: Dispatching): Promise<void> {
  const now = (await with_.endpoints.now()).get(asked.webhook_id)
  if (now?.status !== 'active' || now.url !== asked.url) return
  if (reason === 'failing' && now.updated_at > since) return
  await with_.publish({ ...now, status: 'disabled', disabled_reason: reason, updated_at: with_.clock.now() })
}
