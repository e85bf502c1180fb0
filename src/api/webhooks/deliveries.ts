import { z } from '@hono/zod-openapi'
import { randomBytes } from 'node:crypto'
import { base32, derivedId } from '../../events/ids.ts'
import { webhooksDelivered, type WebhookChanged, type WebhookDelivered } from '../../events/webhooks.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { nextCursor, timestamp } from '../http/parameters.ts'

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed', 'gone', 'given_up', 'cancelled']).openapi({
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

export const Delivery = z.object(fields).openapi('WebhookDelivery')

export const Deliveries = z
  .object({ deliveries: z.array(Delivery), next_cursor: nextCursor })
  .openapi('WebhookDeliveries')

export const DeliveryWithHistory = z
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

export const DeliveryReceipt = z
  .object({ delivery_id: z.string().openapi({ example: 'dlv_3kq7vhd2mzxw5aypc4tn6jrs7b' }) })
  .openapi('WebhookDeliveryReceipt')

const BY = { stage: 'webhooks', version: '1' }
const ID_BYTES = 17

const newDeliveryId = (): string => `dlv_${base32(randomBytes(ID_BYTES)).slice(0, 26)}`

/** What a delivery is to bring. */
type Message = Pick<WebhookDelivered, 'change_id' | 'type' | 'payload'>

/** A message by which a receiver can be tried out. */
export function testMessage({ webhook_id }: WebhookChanged, now: number): Message {
  const [type, timestamp] = ['webhook.test', new Date(now).toISOString()]
  const change_id = `evt_${base32(randomBytes(ID_BYTES)).slice(0, 26)}`
  return { change_id, type, payload: JSON.stringify({ type, timestamp, data: { webhook_id } }) }
}

/** Resolves, with the delivery's id, when the log has it: it is attempted as soon as its turn comes. */
export async function plan(
  message: Message,
  { webhook, now }: { readonly webhook: WebhookChanged; readonly now: number },
  { log, codec }: Pick<Dependencies, 'log' | 'codec'>,
): Promise<string> {
  const delivery_id = newDeliveryId()
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
  const value = await codec.encode(webhooksDelivered, event)
  await log.produce([{ topic: webhooksDelivered.name, key: webhooksDelivered.key(event), value }])
  return delivery_id
}
