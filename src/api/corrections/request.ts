import { createHash } from 'node:crypto'
import { derivedId } from '../../events/ids.ts'
import { correctionsRequested } from '../../events/settings.ts'
import { viewGroup } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { corrections } from '../../views/row-per-event.ts'
import { correctionsUnder } from '../../views/corrections/queries.ts'
import { append } from '../http/append.ts'
import { caughtUp } from '../http/caught-up.ts'
import type { Dependencies } from '../http/dependencies.ts'
import {
  IDEMPOTENCY_MS,
  IdempotencyKeys,
  keyedRequest,
  randomId,
  shortHash,
  type First,
  type KeyedRequest,
} from '../http/idempotency.ts'
import { isProblem, type Problem } from '../http/problem.ts'
import type { CallContext } from '../http/route.ts'
import { type CorrectionBody, planCorrection } from './wish.ts'

export const BY = { stage: 'corrections', version: '1' }

interface GivenCorrection {
  readonly path: string
  readonly cluster_id: string
  readonly body: CorrectionBody
  /** The `Idempotency-Key`, if one was sent. */
  readonly key: string | undefined
}

/** Carries a problem through `once`, so that the request can be retried with the same key. */
class RequestRefused extends Error {
  readonly problem: Problem

  constructor(refusal: Problem) {
    super(refusal.detail)
    this.problem = refusal
  }
}

/** Requests corrections. Resolves with the correction's id when the log has stored the request. */
export function requestingCorrections(dependencies: Dependencies) {
  const { store, jobSecret: secret } = dependencies
  const viewIsReady = caughtUp({ group: viewGroup(corrections.name), topic: correctionsRequested.name }, dependencies)
  const keys = new IdempotencyKeys<string>(async (context) => {
    await viewIsReady()
    return firstUnder(store, context)
  })

  return async (given: GivenCorrection, context: CallContext): Promise<string | Problem> => {
    const { path, body, key } = given
    if (key === undefined) return send({ ...given, id: `cor_${randomId(26)}`, at: context.now }, context, dependencies)
    const keyed = keyedRequest(
      context.caller,
      { key, path: `${path} ${given.cluster_id}`, body, now: context.now },
      secret,
    )
    try {
      return await keys.once(keyed, async (first) => {
        const id = keyedId(keyed, first.at)
        if (first.logged === 'all' || first.logged.has(id)) return id
        const sent = await send({ ...given, id, at: first.at }, context, dependencies)
        if (isProblem(sent)) throw new RequestRefused(sent)
        return sent
      })
    } catch (cause) {
      if (cause instanceof RequestRefused) return cause.problem
      throw cause
    }
  }
}

interface CorrectionToSend extends GivenCorrection {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
}

async function send(
  { id, at, cluster_id, body }: CorrectionToSend,
  { caller, now }: CallContext,
  dependencies: Dependencies,
): Promise<string | Problem> {
  const { namespace, key_id } = caller
  const planned = await planCorrection(dependencies.store, { namespace, cluster_id, now }, body)
  if (isProblem(planned)) return planned
  const reason = body.reason === undefined || body.reason === '' ? null : body.reason
  const event = {
    ...planned,
    correction_id: id,
    event_id: derivedId(BY, id),
    namespace,
    occurred_at: at,
    reason,
    key_id,
  }
  await append(correctionsRequested, [event], dependencies)
  return id
}

const KEY_CHARACTERS = 12
const BODY_CHARACTERS = 6

/**
 * The id of a correction with an `Idempotency-Key`. It encodes hashes of the key and the request, so that any instance
 * can find both in the view. The rest is derived from the time of the first request, because a key can be reused after
 * a day.
 */
function keyedId({ key_hash, body_hash }: Pick<KeyedRequest, 'key_hash' | 'body_hash'>, at: number): string {
  const time = createHash('sha256').update(`${key_hash}\n${at}`).digest('hex')
  return `${keyPrefix(key_hash)}${shortHash(body_hash, BODY_CHARACTERS)}${shortHash(time, 8)}`
}

const keyPrefix = (keyHash: string): string => `cor_${shortHash(keyHash, KEY_CHARACTERS)}`

async function firstUnder(store: Store, { namespace, key_hash, body_hash, now }: KeyedRequest): Promise<First | null> {
  const prefix = keyPrefix(key_hash)
  const rows = await correctionsUnder(store)({ namespace, prefix })
  const found = rows.find(({ requested_ms }) => now - requested_ms < IDEMPOTENCY_MS)
  if (found === undefined) return null
  const same = found.correction_id.startsWith(prefix + shortHash(body_hash, BODY_CHARACTERS))
  return { body_hash: same ? body_hash : '', at: found.requested_ms, logged: new Set([found.correction_id]) }
}
