import { SHARED } from '../../domain/intake/articles.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { IDEMPOTENCY_MS, keyedRequest, keyReused, randomId, shortHash, type KeyedRequest } from '../http/idempotency.ts'
import type { Caller } from '../http/keys/caller.ts'
import { isProblem, type Problem } from '../http/problem.ts'
import type { CallContext } from '../http/route.ts'
import { type NewWebhook, filtersOf, descriptionOf } from './body.ts'
import { type Endpoints, addressProblem, tierProblem, type FindExisting } from './endpoints.ts'
import { derivedSecret, isCurrent, randomSecret, sealed } from './secret.ts'

interface Created {
  readonly endpoint: WebhookChanged
  /** In plain text, for the response only. `null` in a repeated request after the secret was rotated. */
  readonly secret: string | null
}

interface WebhookCreation {
  readonly path: string
  readonly body: NewWebhook
  /** The `Idempotency-Key`, if one was sent. */
  readonly key: string | undefined
}

/**
 * Creates endpoints. Resolves when the log has stored them. With an `Idempotency-Key` the id is derived from the key
 * and the request, and the secret from the id, so that any instance can reproduce both and nothing is stored in
 * addition to the encrypted endpoint. A key is valid for 24 hours while its endpoint exists; after a deletion the
 * same request creates a new endpoint.
 */
export function creatingWebhooks(dependencies: Dependencies, known: Endpoints) {
  const { jobSecret, outbound, webhookSeal } = dependencies

  return async ({ path, body, key }: WebhookCreation, { caller, now }: CallContext): Promise<Created | Problem> => {
    const add = async (id: string, secret: string, findExisting?: FindExisting): Promise<WebhookChanged | Problem> => {
      const refused = tierProblem(body.events, caller) ?? (await addressProblem(body.url, outbound))
      if (refused !== null) return refused
      const secrets = [sealed(secret, id, webhookSeal)]
      return known.add({ ...newEndpoint(body, caller, now), webhook_id: id, secrets }, caller, findExisting)
    }
    if (key === undefined) {
      const secret = randomSecret()
      const added = await add(`whk_${randomId(ID_CHARACTERS)}`, secret)
      return isProblem(added) ? added : { endpoint: added, secret }
    }
    const keyed = keyedRequest(caller, { key, path, body, now }, jobSecret)
    const findExisting = firstUnder(keyed)
    const id = keyedId(keyed)
    const existing =
      findExisting(await known.of(caller)) ?? (await add(id, derivedSecret(jobSecret, { id, at: now }), findExisting))
    return repeated(existing, dependencies)
  }
}

/** The current state of the endpoint that a repeated request refers to. */
function repeated(existing: WebhookChanged | Problem, { jobSecret, webhookSeal }: Dependencies): Created | Problem {
  if (isProblem(existing)) return existing
  const secret = derivedSecret(jobSecret, { id: existing.webhook_id, at: existing.created_at })
  return { endpoint: existing, secret: isCurrent(secret, existing, webhookSeal) ? secret : null }
}

const newEndpoint = (body: NewWebhook, { namespace, owner, key_id }: Caller, now: number) => ({
  namespace,
  owner: namespace === SHARED ? owner : '',
  key_id,
  url: body.url,
  events: body.events,
  ...filtersOf(body.filters ?? {}),
  description: descriptionOf(body.description),
  status: 'active' as const,
  disabled_reason: null,
  created_at: now,
  updated_at: now,
})

const ID_CHARACTERS = 16
const KEY_CHARACTERS = 7
const BODY_CHARACTERS = 4

const keyPrefix = ({ key_hash }: Pick<KeyedRequest, 'key_hash'>): string => `whk_${shortHash(key_hash, KEY_CHARACTERS)}`

const requestPrefix = (context: Pick<KeyedRequest, 'key_hash' | 'body_hash'>): string =>
  keyPrefix(context) + shortHash(context.body_hash, BODY_CHARACTERS)

/**
 * An endpoint id that starts with hashes of the key and the request and ends with random characters. Without the
 * service's secret it looks like a random id. A new id is used each time, so that a deleted endpoint stays deleted.
 */
const keyedId = (context: KeyedRequest): string =>
  requestPrefix(context) + randomId(ID_CHARACTERS - KEY_CHARACTERS - BODY_CHARACTERS)

const firstUnder =
  (context: KeyedRequest): FindExisting =>
  (mine) => {
    const prefix = keyPrefix(context)
    const found = mine.find(
      ({ webhook_id, created_at }) => webhook_id.startsWith(prefix) && context.now - created_at < IDEMPOTENCY_MS,
    )
    return found === undefined || found.webhook_id.startsWith(requestPrefix(context)) ? (found ?? null) : keyReused()
  }
