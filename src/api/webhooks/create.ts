import { SHARED } from '../../domain/intake/articles.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { keyedRequest, randomId, type KeyedRequest } from '../http/idempotency.ts'
import { firstUnderKey, keyedSettingId, SETTING_ID_CHARACTERS } from '../http/keyed-setting.ts'
import type { Caller } from '../http/keys/caller.ts'
import { addressProblem } from '../http/outbound-address.ts'
import { isProblem, type Problem } from '../http/problem.ts'
import type { CallContext } from '../http/route.ts'
import { type NewWebhook, filtersOf, descriptionOf } from './body.ts'
import { type Endpoints, tierProblem, type FindExisting } from './endpoints.ts'
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
      const refused =
        tierProblem(body.events, caller) ?? (await addressProblem({ url: body.url, path: 'url' }, outbound))
      if (refused !== null) return refused
      const secrets = [sealed(secret, id, webhookSeal)]
      return known.add({ ...newEndpoint(body, caller, now), webhook_id: id, secrets }, caller, findExisting)
    }
    if (key === undefined) {
      const secret = randomSecret()
      const added = await add(PREFIX + randomId(SETTING_ID_CHARACTERS), secret)
      return isProblem(added) ? added : { endpoint: added, secret }
    }
    const keyed = keyedRequest(caller, { key, path, body, now }, jobSecret)
    const findExisting = firstUnder(keyed)
    const id = keyedSettingId(PREFIX, keyed)
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

const PREFIX = 'whk_'

const firstUnder =
  (context: KeyedRequest): FindExisting =>
  (mine) => {
    const found = firstUnderKey(
      PREFIX,
      context,
      mine.map((endpoint) => ({ id: endpoint.webhook_id, created_at: endpoint.created_at, endpoint })),
    )
    return found === null || isProblem(found) ? found : found.endpoint
  }
