import { z } from '@hono/zod-openapi'
import {
  CreatedWebhook,
  NewWebhook,
  Rotation,
  Webhook,
  webhookParams as params,
  WebhookPatch,
  Webhooks,
  WebhookWithSecret,
  urlToCheck,
  patched,
} from './body.ts'
import { creatingWebhooks } from './create.ts'
import { endpoints, type Endpoints, MOST_WEBHOOKS, tierProblem } from './endpoints.ts'
import { randomSecret, rotated, sealed } from './secret.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import { addressProblem } from '../http/outbound-address.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type AnswerOf, type Route } from '../http/route.ts'
import { webhookDeliveryRoutes } from './deliveries.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'

const keyed = { tag: 'Webhooks', tier: 'starter', cost: 'request' } as const
const SAFE_AGAIN = idempotencyKey(
  'returns the same endpoint in its current state, with its secret unless it was rotated; after the ' +
    'endpoint was deleted, a new one is created',
)
const NOT_THERE = ['webhook_not_found'] as const

export function webhookRoutes(dependencies: Dependencies): readonly Route[] {
  const known = endpoints(dependencies)
  return [
    create(dependencies, known),
    list(known),
    one(known),
    patch(dependencies, known),
    remove(known),
    rotate(dependencies, known),
    ...webhookDeliveryRoutes(dependencies, known),
  ]
}

function create(dependencies: Dependencies, known: Endpoints): Route {
  const make = creatingWebhooks(dependencies, known)
  const path = '/v1/webhooks'
  return defineRoute(
    {
      ...keyed,
      method: 'post',
      path,
      status: 201,
      operationId: 'createWebhook',
      summary: 'Create a webhook endpoint',
      description:
        'Changes of the requested types are sent to the URL from now on, signed as Standard Webhooks ' +
        'specifies. The secret is returned only in this response. In the shared namespace an endpoint is ' +
        'visible to the key that created it and to keys rotated from that key; in a private namespace it is ' +
        `visible to all keys. The limit is ${MOST_WEBHOOKS} endpoints.`,
      problems: ['tier_restricted', 'url_not_allowed', 'webhook_limit_reached', 'idempotency_key_reused'],
      request: { headers: SAFE_AGAIN, body: NewWebhook },
      answer: CreatedWebhook,
    },
    async ({ headers, body }, context) => {
      const made = await make({ path, body, key: headers['Idempotency-Key'] }, context)
      if (isProblem(made)) return made
      return { ...answerOf(made.endpoint), ...(made.secret === null ? {} : { secret: made.secret }) }
    },
  )
}

const list = (known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/webhooks',
      status: 200,
      operationId: 'listWebhooks',
      summary: 'List webhook endpoints',
      description: `Returns all endpoints (at most ${MOST_WEBHOOKS}), oldest first, without their secrets.`,
      request: {},
      answer: Webhooks,
    },
    async (_, { caller }) => ({ webhooks: (await known.of(caller)).map(answerOf) }),
  )

const one = (known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/webhooks/{id}',
      status: 200,
      operationId: 'getWebhook',
      summary: 'Retrieve a webhook endpoint',
      description: 'Returns an endpoint in its current state, without its secret.',
      problems: NOT_THERE,
      request: { params },
      answer: Webhook,
    },
    async ({ params: { id } }, { caller }) => {
      const found = await known.find(id, caller)
      return isProblem(found) ? found : answerOf(found)
    },
  )

const patch = ({ outbound }: Dependencies, known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'patch',
      path: '/v1/webhooks/{id}',
      status: 200,
      operationId: 'updateWebhook',
      summary: 'Update a webhook endpoint',
      description:
        'Fields that are omitted keep their value. `status: active` enables a disabled endpoint, whatever ' +
        'the reason it was disabled. Changes that occurred while it was disabled are not sent; redeliver ' +
        'them or read the feed.',
      problems: [...NOT_THERE, 'tier_restricted', 'url_not_allowed'],
      request: { params, body: WebhookPatch },
      answer: Webhook,
    },
    async ({ params: { id }, body }, { caller, now }) => {
      const found = await known.find(id, caller)
      if (isProblem(found)) return found
      const url = urlToCheck(found, body)
      const refused =
        tierProblem(body.events ?? found.events, caller) ??
        (url === null ? null : await addressProblem({ url, path: 'url' }, outbound))
      if (refused !== null) return refused
      const changed = await known.change(id, caller, {
        refusal: ({ events }) => tierProblem(body.events ?? events, caller),
        become: (endpoint) => patched(endpoint, body, now),
      })
      return isProblem(changed) ? changed : answerOf(changed)
    },
  )

const remove = (known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'delete',
      path: '/v1/webhooks/{id}',
      status: 204,
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook endpoint',
      description: 'Pending deliveries are cancelled, and past deliveries can no longer be retrieved.',
      problems: NOT_THERE,
      request: { params },
      answer: z.null(),
    },
    async ({ params: { id } }, { caller }) => (await known.remove(id, caller)) ?? null,
  )

const rotate = (dependencies: Dependencies, known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/webhooks/{id}/rotate',
      status: 200,
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of an endpoint',
      description:
        'The new secret is returned only in this response. Until the overlap ends, deliveries are also ' +
        'signed with earlier secrets, so that the receiver can switch at any time.',
      problems: [...NOT_THERE, 'tier_restricted'],
      request: { params, body: Rotation.prefault({}) },
      answer: WebhookWithSecret,
    },
    async ({ params: { id }, body: { overlap_seconds } }, context) => {
      const { now } = context
      const secret = randomSecret()
      const next = sealed(secret, id, dependencies.webhookSeal)
      const until = now + overlap_seconds * 1_000
      const changed = await known.change(id, context.caller, {
        refusal: ({ events }) => tierProblem(events, context.caller),
        become: (found) => ({ ...found, secrets: rotated(next, found.secrets, { now, until }), updated_at: now }),
      })
      return isProblem(changed) ? changed : { ...answerOf(changed), secret }
    },
  )

/**
 * An endpoint without its owner and secrets. It is not parsed, because a newer version may have written types that are
 * unknown here.
 */
const answerOf = (endpoint: WebhookChanged): AnswerOf<typeof Webhook> => ({
  id: endpoint.webhook_id,
  url: endpoint.url,
  events: endpoint.events,
  filters: {
    entity_ids: endpoint.entity_ids,
    min_velocity: endpoint.min_velocity,
    min_assignment_confidence: endpoint.min_assignment_confidence,
    membership: endpoint.membership,
    query: endpoint.query,
    entity_names: endpoint.entity_names,
    min_origins: endpoint.min_origins,
    monitor_ids: endpoint.monitor_ids,
  },
  description: endpoint.description,
  status: endpoint.status,
  disabled_reason: endpoint.disabled_reason,
  created_at: new Date(endpoint.created_at).toISOString(),
  updated_at: new Date(endpoint.updated_at).toISOString(),
})
