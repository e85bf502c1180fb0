import { createHash, randomBytes } from 'node:crypto'
import { base32 } from '../../events/ids.ts'
import { SHARED } from '../../events/intake-rules.ts'
import type { WebhookChanged } from '../../events/webhooks.ts'
import type { Dependencies } from '../dependencies.ts'
import { asking, IdempotencyKeys, type Asking, type First } from '../idempotency.ts'
import { isProblem, type Problem } from '../problem.ts'
import type { Asked } from '../route.ts'
import type { NewWebhook } from './body.ts'
import { filtersOf, wordsOf } from './change.ts'
import type { Endpoints } from './endpoints.ts'
import { addressProblem, tierProblem } from './refusals.ts'
import { derivedSecret, randomSecret, sealed } from './secret.ts'

export interface Created {
  readonly endpoint: WebhookChanged
  /** In clear: for the answer, and for nothing else. */
  readonly secret: string
}

export interface CreationAsked {
  readonly path: string
  readonly body: NewWebhook
  /** The `Idempotency-Key`, if one was sent. */
  readonly key: string | undefined
}

/** Resolves when the log has the endpoint. */
export type CreateWebhook = (given: CreationAsked, asked: Asked) => Promise<Created | Problem>

/** A refusal on the way out of what may be tried again under the same key. */
class Refused extends Error {
  readonly problem: Problem

  constructor(refusal: Problem) {
    super(refusal.detail)
    this.problem = refusal
  }
}

/**
 * Under an `Idempotency-Key` the whole answer, secret included, follows from the request and from when it was first made,
 * which any instance finds in the fold: nothing is kept beside the sealed endpoint. A key is remembered for 24 hours, as
 * long as its endpoint is there.
 */
export function creatingWebhooks(dependencies: Dependencies, known: Endpoints): CreateWebhook {
  const { jobSecret: secretsKey } = dependencies
  const keys = new IdempotencyKeys<Created>(async (asked) => await firstUnder(known, asked))

  return async ({ path, body, key }, asked) => {
    if (key === undefined) {
      const made = { id: `whk_${base32(randomBytes(ID_BYTES))}`, secret: randomSecret(), at: asked.now }
      return await send({ ...made, body }, asked, { dependencies, known })
    }
    const keyed = asking(asked.caller, { key, path, body, now: asked.now }, secretsKey)
    try {
      return await keys.once(keyed, async ({ at }) => {
        const id = keyedId(keyed, at)
        const made = { id, secret: derivedSecret(secretsKey, id), at, body }
        const sent = (await isThere(id, asked, known))
          ? { endpoint: endpointOf(made, asked, dependencies), secret: made.secret }
          : await send(made, asked, { dependencies, known })
        if (isProblem(sent)) throw new Refused(sent)
        return sent
      })
    } catch (cause) {
      if (cause instanceof Refused) return cause.problem
      throw cause
    }
  }
}

interface Made {
  readonly id: string
  readonly secret: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly body: NewWebhook
}

interface With {
  readonly dependencies: Dependencies
  readonly known: Endpoints
}

async function send(made: Made, asked: Asked, { dependencies, known }: With): Promise<Created | Problem> {
  const { url, events } = made.body
  const refused = tierProblem(events, asked.caller) ?? (await addressProblem(url, dependencies.outbound))
  if (refused !== null) return refused
  const endpoint = endpointOf(made, asked, dependencies)
  return (await known.add(endpoint, asked.caller)) ?? { endpoint, secret: made.secret }
}

function endpointOf({ id, secret, at, body }: Made, { caller }: Asked, { webhookSeal }: Dependencies): WebhookChanged {
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

const ID_BYTES = 10
const KEY_CHARACTERS = 9
const BODY_CHARACTERS = 4
const TIME_CHARACTERS = 3

const characters = (hex: string, length: number): string => base32(Buffer.from(hex, 'hex')).slice(0, length)

const keyPrefix = (keyHash: string): string => `whk_${characters(keyHash, KEY_CHARACTERS)}`

/**
 * Which key and which request it was, as keyed hashes, so that any instance finds both in the fold; and when, since a key
 * may be used again after a day. Nobody without the service's secret can tell it from a random one.
 */
function keyedId({ key_hash, body_hash }: Pick<Asking, 'key_hash' | 'body_hash'>, at: number): string {
  const time = createHash('sha256').update(`${key_hash}\n${at}`).digest('hex')
  return keyPrefix(key_hash) + characters(body_hash, BODY_CHARACTERS) + characters(time, TIME_CHARACTERS)
}

const KEPT_MS = 24 * 3_600_000

async function firstUnder(known: Endpoints, { namespace, key_hash, body_hash, now }: Asking): Promise<First | null> {
  const prefix = keyPrefix(key_hash)
  const inNamespace = await known.startingWith(prefix, namespace)
  const found = inNamespace.find(({ created_at }) => now - created_at < KEPT_MS)
  if (found === undefined) return null
  const same = found.webhook_id.startsWith(prefix + characters(body_hash, BODY_CHARACTERS))
  return { body_hash: same ? body_hash : '', at: found.created_at, logged: new Set([found.webhook_id]) }
}

const isThere = async (id: string, { caller }: Asked, known: Endpoints): Promise<boolean> =>
  (await known.startingWith(id, caller.namespace)).length > 0
