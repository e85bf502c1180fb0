import { z } from '@hono/zod-openapi'
import type { WebhookChanged } from '../../events/webhooks.ts'
import { deliveredMessage, deliveryDetail, deliveryList } from '../../views/webhooks/deliveries.ts'
import { webhookParams } from './body.ts'
import { Deliveries, deliveryStatus, DeliveryReceipt, DeliveryWithHistory, plan, testMessage } from './deliveries.ts'
import type { Endpoints } from './endpoints.ts'
import { tierProblem } from './refusals.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { paging } from '../http/parameters.ts'
import { isProblem, problem, type Problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'

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
      const { namespace } = caller
      return deliveryList(store, {
        namespace,
        webhook_id: id,
        ...{ status: undefined, cursor: undefined },
        ...query,
      })
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
      summary: 'Redeliver',
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

/** Null: it takes deliveries. */
const disabledProblem = ({ status, disabled_reason }: WebhookChanged): Problem | null =>
  status === 'active'
    ? null
    : problem(
        'webhook_disabled',
        `The endpoint is disabled (${disabled_reason ?? 'unknown'}): set its status to active`,
      )
