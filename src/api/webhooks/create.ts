import { randomBytes } from 'node:crypto'
import { base32 } from '../../events/ids.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { keyedRequest, keyReused, type KeyedRequest } from '../http/idempotency.ts'
import { isProblem, type Problem } from '../http/problem.ts'
import type { CallContext } from '../http/route.ts'
import type { NewWebhook } from './body.ts'
import { filtersOf, wordsOf } from './change.ts'
import type { Endpoints } from './endpoints.ts'
import { addressProblem, tierProblem } from './refusals.ts'
import { derivedSecret, isCurrent, randomSecret, sealed } from './secret.ts'

export interface Created {
  readonly endpoint: WebhookChanged
  /** In clear: for the answer, and for nothing else. Null in a repeat, once it was rotated. */
  readonly secret: string | null
}

export interface WebhookCreation {
  readonly path: string
  readonly body: NewWebhook
  /** The `Idempotency-Key`, if one was sent. */
  readonly key: string | undefined
}

/** Resolves when the log has the endpoint. */
export type CreateWebhook = (given: WebhookCreation, context: CallContext) => Promise<Created | Problem>

/**
 * Under an `Idempotency-Key` the id follows from the key and the request, and the secret follows from the id:
 * any instance finds both in the fold, and nothing is kept beside the sealed endpoint. A key is remembered for 24 hours,
 * as long as its endpoint is there: once it is deleted, the same request makes another.
 */
export function creatingWebhooks(dependencies: Dependencies, known: Endpoints): CreateWebhook {
  const { jobSecret: secretsKey } = dependencies

  return async ({ path, body, key }, context) => {
    if (key === undefined) {
      const made = { id: `whk_${random(ID_CHARACTERS)}`, secret: randomSecret(), at: context.now, body }
      return send(made, context, { dependencies, known })
    }
    const keyed = keyedRequest(context.caller, { key, path, body, now: context.now }, secretsKey)
    const begun = firstUnder(keyed)
    const there = begun(await known.of(context.caller))
    if (there !== null) return repeated(there, dependencies)
    const id = keyedId(keyed)
    const made = { id, secret: derivedSecret(secretsKey, { id, at: context.now }), at: context.now, body }
    return send(made, context, { dependencies, known, begun })
  }
}

/** As it now is. */
function repeated(there: WebhookChanged | Problem, { jobSecret, webhookSeal }: Dependencies): Created | Problem {
  if (isProblem(there)) return there
  const secret = derivedSecret(jobSecret, { id: there.webhook_id, at: there.created_at })
  return { endpoint: there, secret: isCurrent(secret, there, webhookSeal) ? secret : null }
}

interface NewEndpoint {
  readonly id: string
  readonly secret: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly body: NewWebhook
}

type FirstUnder = (mine: readonly WebhookChanged[]) => WebhookChanged | Problem | null

interface SendOptions {
  readonly dependencies: Dependencies
  readonly known: Endpoints
  /** What came of an earlier request under the same key, which may have been at the same time. */
  readonly begun?: FirstUnder
}

async function send(
  made: NewEndpoint,
  context: CallContext,
  { dependencies, known, begun }: SendOptions,
): Promise<Created | Problem> {
  const { url, events } = made.body
  const refused = tierProblem(events, context.caller) ?? (await addressProblem(url, dependencies.outbound))
  if (refused !== null) return refused
  const there = await known.add(endpointOf(made, context, dependencies), context.caller, begun)
  if (begun !== undefined) return repeated(there, dependencies)
  return isProblem(there) ? there : { endpoint: there, secret: made.secret }
}

function endpointOf(
  { id, secret, at, body }: NewEndpoint,
  { caller }: CallContext,
  { webhookSeal }: Dependencies,
): WebhookChanged {
  return {
    webhook_id: id,
    namespace: caller.namespace,
    owner: caller.namespace === SHARED ? caller.owner : '',
    key_id: caller.key_id,
    ...settingsOf(body),
    status: 'active',
    disabled_reason: null,
    secrets: [sealed(secret, id, webhookSeal)],
    created_at: at,
    updated_at: at,
  }
}

const settingsOf = ({ url, events, filters, description }: NewWebhook) => ({
  url,
  events,
  ...filtersOf(filters ?? {}),
  description: wordsOf(description),
})

const ID_CHARACTERS = 16
const KEY_CHARACTERS = 7
const BODY_CHARACTERS = 4

const random = (length: number): string => base32(randomBytes(length)).slice(0, length)

const characters = (hex: string, length: number): string => base32(Buffer.from(hex, 'hex')).slice(0, length)

const keyPrefix = ({ key_hash }: Pick<KeyedRequest, 'key_hash'>): string =>
  `whk_${characters(key_hash, KEY_CHARACTERS)}`

const requestPrefix = (context: Pick<KeyedRequest, 'key_hash' | 'body_hash'>): string =>
  keyPrefix(context) + characters(context.body_hash, BODY_CHARACTERS)

/** Without the service's secret it cannot be distinguished from a random one; each is another, so that what is deleted stays so. */
const keyedId = (context: KeyedRequest): string =>
  requestPrefix(context) + random(ID_CHARACTERS - KEY_CHARACTERS - BODY_CHARACTERS)

const KEPT_MS = 24 * 3_600_000

const firstUnder =
  (context: KeyedRequest): FirstUnder =>
  (mine) => {
    const prefix = keyPrefix(context)
    const found = mine.find(
      ({ webhook_id, created_at }) => webhook_id.startsWith(prefix) && context.now - created_at < KEPT_MS,
    )
    return found === undefined || found.webhook_id.startsWith(requestPrefix(context)) ? (found ?? null) : keyReused()
  }
