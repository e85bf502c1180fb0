import { z } from '@hono/zod-openapi'
import { answerOf } from './answer.ts'
import {
  CreatedWebhook,
  NewWebhook,
  Rotation,
  Webhook,
  WebhookPatch,
  webhookParams as params,
  Webhooks,
  WebhookWithSecret,
} from './body.ts'
import { activates, patched } from './change.ts'
import { creatingWebhooks } from './create.ts'
import { endpoints, MOST_WEBHOOKS, type Endpoints } from './endpoints.ts'
import { addressProblem, tierProblem } from './refusals.ts'
import { randomSecret, rotated, sealed } from './secret.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type CallContext, type Route } from '../http/route.ts'
import { webhookDeliveryRoutes } from './delivery-routes.ts'

const keyed = { tag: 'Webhooks', tier: 'starter', cost: 'request' } as const
const SAFE_AGAIN = idempotencyKey(
  'gives the same endpoint as it then is, with its secret while that is still the current one; after it was deleted, another',
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
      summary: 'Register a webhook endpoint',
      description:
        'From now on changes of the asked types are sent to the address, signed as Standard Webhooks says. The secret stands ' +
        'in this answer and never again. In the shared namespace an endpoint is seen by the key that made it and those ' +
        `rotated from it, in a private one by all its keys; at most ${MOST_WEBHOOKS} of either.`,
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
      summary: 'Your webhook endpoints',
      description: `All of them, the oldest first; at most ${MOST_WEBHOOKS}. Secrets are never shown again.`,
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
      summary: 'One webhook endpoint',
      problems: NOT_THERE,
      request: { params },
      answer: Webhook,
    },
    async ({ params: { id } }, { caller }) => {
      const found = await known.find(id, caller)
      return isProblem(found) ? found : answerOf(found)
    },
  )

const patch = (dependencies: Dependencies, known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'patch',
      path: '/v1/webhooks/{id}',
      status: 200,
      operationId: 'updateWebhook',
      summary: 'Change a webhook endpoint',
      description:
        'What is left out stays as it is. `status: active` takes an endpoint up again that was disabled, whatever the ' +
        'reason; what happened meanwhile is not sent by itself (redeliver it, or read the feed).',
      problems: [...NOT_THERE, 'tier_restricted', 'url_not_allowed'],
      request: { params, body: WebhookPatch },
      answer: Webhook,
    },
    async ({ params: { id }, body }, context) => {
      const refused = await patchProblem(id, body, { context, known, dependencies })
      if (refused !== null) return refused
      const changed = await known.change(id, context.caller, {
        refusal: ({ events }) => tierProblem(body.events ?? events, context.caller),
        become: (found) => patched(found, body, context.now),
      })
      return isProblem(changed) ? changed : answerOf(changed)
    },
  )

interface PatchOptions {
  readonly context: CallContext
  readonly known: Endpoints
  readonly dependencies: Pick<Dependencies, 'outbound'>
}

/** Null: it may become so. What is taken up again is looked at as if it were new. */
async function patchProblem(id: string, body: WebhookPatch, { context, known, dependencies }: PatchOptions) {
  const found = await known.find(id, context.caller)
  if (isProblem(found)) return found
  const refused = tierProblem(body.events ?? found.events, context.caller)
  if (refused !== null) return refused
  const url = body.url ?? (activates(found, body) ? found.url : null)
  return url === null ? null : addressProblem(url, dependencies.outbound)
}

const remove = (known: Endpoints): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'delete',
      path: '/v1/webhooks/{id}',
      status: 204,
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook endpoint',
      description: 'What waits for it is cancelled, and its deliveries can no longer be read.',
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
      summary: 'Give an endpoint a new secret',
      description:
        'The new one stands in this answer and never again. Until the overlap ends, everything sent is signed with earlier ' +
        'secrets too, so that a receiver may change over when it likes.',
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
