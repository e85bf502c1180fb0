import { z } from '@hono/zod-openapi'
import { randomId } from '../http/idempotency.ts'
import { derivedId } from '../../events/ids.ts'
import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import { append } from '../http/append.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { nextCursor, timestamp, paging } from '../http/parameters.ts'
import { deliveredMessage, deliveryDetail, deliveryList } from '../../views/webhooks/deliveries.ts'
import { webhookParams } from './body.ts'
import { type Endpoints, tierProblem } from './endpoints.ts'
import { isProblem, problem, type Problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'

const deliveryStatus = z.enum(['pending', 'delivered', 'failed', 'gone', 'given_up', 'cancelled']).openapi({
  description:
    '`pending`: not attempted yet; `failed`: will be retried at `next_attempt_at`; `delivered`: the ' +
    'endpoint responded 2xx; `gone`: it responded 410 and is disabled; `given_up`: all attempts failed, ' +
    'or too many deliveries were waiting; `cancelled`: the endpoint was deleted or disabled before ' +
    'delivery.',
  example: 'delivered',
})

const error = z
  .string()
  .nullable()
  .openapi({
    description:
      'Reason for the failure, a constant: `timeout`, `refused`, `dns`, `tls`, `http_status`, ' +
      '`url_not_allowed` …. `null` on success.',
    example: null,
  })
const statusCode = z
  .int()
  .nullable()
  .openapi({ description: 'HTTP status. `null` if there was no response.', example: 204 })
const duration = z
  .int()
  .nullable()
  .openapi({ description: 'Duration of the attempt. `null` before the first one.', example: 87 })
const again = timestamp.nullable().openapi({ description: '`null` if there is no further attempt.', example: null })

const fields = {
  id: z.string().openapi({ example: 'dlv_3kq7vhd2mzxw5aypc4tn6jrs7b' }),
  webhook_id: z.string().openapi({ example: 'whk_q2x4mvhb7k3zt5wa' }),
  event_id: z.string().openapi({
    description: 'The `id` of the change in the feed, sent as `webhook-id`; the same at each attempt and redelivery.',
    example: 'evt_hd7mzq3x5w2aypk4vtn6jrsb7c',
  }),
  type: z.string().openapi({ description: 'Type of the change, or `webhook.test`.', example: 'trend.detected' }),
  status: deliveryStatus,
  attempts: z.int().openapi({ description: 'Number of attempts so far.', example: 1 }),
  last_status_code: statusCode,
  last_error: error,
  last_duration_ms: duration,
  created_at: timestamp,
  last_attempt_at: timestamp.nullable(),
  next_attempt_at: again,
}

const Delivery = z.object(fields).openapi('WebhookDelivery')

const Deliveries = z.object({ deliveries: z.array(Delivery), next_cursor: nextCursor }).openapi('WebhookDeliveries')

const DeliveryWithHistory = z
  .object({
    ...fields,
    history: z
      .array(
        z
          .object({
            attempt: z
              .int()
              .openapi({ description: 'Number of the attempt; `0` when the delivery was scheduled.', example: 1 }),
            at: timestamp,
            status: deliveryStatus,
            status_code: statusCode,
            error,
            duration_ms: duration,
            next_attempt_at: again,
          })
          .openapi('WebhookAttempt'),
      )
      .describe('All attempts and status changes, oldest first.'),
  })
  .openapi('WebhookDeliveryWithHistory')

const DeliveryReceipt = z
  .object({ delivery_id: z.string().openapi({ example: 'dlv_3kq7vhd2mzxw5aypc4tn6jrs7b' }) })
  .openapi('WebhookDeliveryReceipt')

const BY = { stage: 'webhooks', version: '1' }
/** The content of a delivery. */
type Message = Pick<WebhookDelivered, 'change_id' | 'type' | 'payload'>

/** A message for testing a receiver. */
function testMessage({ webhook_id }: WebhookChanged, now: number): Message {
  const [type, timestamp] = ['webhook.test', new Date(now).toISOString()]
  const change_id = `evt_${randomId(26)}`
  return { change_id, type, payload: JSON.stringify({ type, timestamp, data: { webhook_id } }) }
}

/** Plans a delivery. Resolves with its id when the log has stored it. The dispatcher then attempts it. */
async function plan(
  message: Message,
  { webhook, now }: { readonly webhook: WebhookChanged; readonly now: number },
  ports: Dependencies,
): Promise<string> {
  const delivery_id = `dlv_${randomId(26)}`
  const event: WebhookDelivered = {
    ...message,
    event_id: derivedId(BY, delivery_id),
    namespace: webhook.namespace,
    occurred_at: now,
    caused_by: null,
    produced_by: BY,
    webhook_id: webhook.webhook_id,
    delivery_id,
    attempt: 0,
    outcome: 'planned',
    status_code: null,
    error: null,
    duration_ms: 0,
    next_attempt_at: now,
  }
  await append(webhooksDelivered, [event], ports)
  return delivery_id
}

const keyed = { tag: 'Webhooks', tier: 'starter', cost: 'request' } as const

const deliveryParams = webhookParams.extend({
  delivery_id: z.string().min(1).max(100).openapi({ example: 'dlv_3kq7vhd2mzxw5aypc4tn6jrs7b' }),
})

export const webhookDeliveryRoutes = (dependencies: Dependencies, known: Endpoints): readonly Route[] => [
  test(dependencies, known),
  list(dependencies, known),
  one(dependencies, known),
  redeliver(dependencies, known),
]

const test = (dependencies: Dependencies, known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/webhooks/{id}/test',
      status: 202,
      operationId: 'testWebhook',
      summary: 'Send a test delivery',
      description:
        'Sends `{type: "webhook.test", timestamp, data: {webhook_id}}`, signed and retried like any other ' +
        'delivery, regardless of filters. Its status can be retrieved by `delivery_id` a moment later.',
      problems: ['webhook_not_found', 'webhook_disabled', 'tier_restricted'],
      request: { params: webhookParams },
      answer: DeliveryReceipt,
    },
    async ({ params: { id } }, { caller, now }) => {
      const webhook = await known.find(id, caller)
      if (isProblem(webhook)) return webhook
      const refused = tierProblem(webhook.events, caller) ?? disabledProblem(webhook)
      if (refused !== null) return refused
      return { delivery_id: await plan(testMessage(webhook, now), { webhook, now }, dependencies) }
    },
  )

const list = ({ store }: Dependencies, known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries',
      status: 200,
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description: 'Returns the deliveries of the last 30 days with their current status, newest first.',
      problems: ['webhook_not_found'],
      request: {
        params: webhookParams,
        query: z.object({ status: deliveryStatus.optional(), ...paging({ limit: 50, max: 200 }) }),
      },
      answer: Deliveries,
    },
    async ({ params: { id }, query }, { caller }) => {
      const webhook = await known.find(id, caller)
      if (isProblem(webhook)) return webhook
      const { status, cursor, limit } = query
      return deliveryList(store, { namespace: caller.namespace, webhook_id: id, status, cursor, limit })
    },
  )

const one = ({ store }: Dependencies, known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
      status: 200,
      operationId: 'getWebhookDelivery',
      summary: 'Retrieve a delivery with its attempts',
      description: 'Returns a delivery of the last 30 days with all its attempts and status changes.',
      problems: ['webhook_not_found', 'delivery_not_found'],
      request: { params: deliveryParams },
      answer: DeliveryWithHistory,
    },
    async ({ params: { id, delivery_id } }, { caller }) => {
      const webhook = await known.find(id, caller)
      if (isProblem(webhook)) return webhook
      const found = await deliveryDetail(store, { namespace: caller.namespace, webhook_id: id, delivery_id })
      return found ?? deliveryNotFound(delivery_id)
    },
  )

const redeliver = (dependencies: Dependencies, known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
      status: 202,
      operationId: 'redeliverWebhook',
      summary: 'Repeat a delivery',
      description:
        'Creates a new delivery with the same body and `webhook-id`, whatever the status of the earlier one. ' +
        'The receiver can recognise a duplicate by that id.',
      problems: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled', 'tier_restricted'],
      request: { params: deliveryParams },
      answer: DeliveryReceipt,
    },
    async ({ params: { id, delivery_id } }, { caller, now }) => {
      const webhook = await known.find(id, caller)
      if (isProblem(webhook)) return webhook
      const { namespace } = caller
      const [message] = await deliveredMessage(dependencies.store)({ namespace, webhook_id: id, delivery_id })
      if (message === undefined) return deliveryNotFound(delivery_id)
      const refused = tierProblem([...webhook.events, message.type], caller) ?? disabledProblem(webhook)
      return refused ?? { delivery_id: await plan(message, { webhook, now }, dependencies) }
    },
  )

const deliveryNotFound = (id: string): Problem => problem('delivery_not_found', `Delivery not found: ${id}`)

/** `null` if the endpoint accepts deliveries. */
const disabledProblem = ({ status, disabled_reason }: WebhookChanged): Problem | null =>
  status === 'active'
    ? null
    : problem(
        'webhook_disabled',
        `The endpoint is disabled (${disabled_reason ?? 'unknown'}): set its status to active`,
      )
