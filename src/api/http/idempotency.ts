import { createHmac, randomBytes } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { IdempotentRequest } from '../../events/articles.ts'
import { base32 } from '../../events/ids.ts'
import type { Caller } from './keys/caller.ts'
import { RecentKeys, type InUse, type KeyBounds } from './recent-keys.ts'
import { problem, type Problem } from './problem.ts'

/** The header of draft-ietf-httpapi-idempotency-key-header: opaque, so quotes are part of it. `gives`: the second time. */
export const idempotencyKey = (gives: string) =>
  z.object({
    'Idempotency-Key': z
      .string()
      .regex(/^[\x20-\x7e]{1,255}$/, 'expected 1 to 255 printable ASCII characters')
      .optional()
      .openapi({
        description:
          `Makes retries safe: for 24 hours, the same key with the same request ${gives}. Use any unique text, ` +
          'such as a UUID. API keys rotated from one another count as one caller.',
        example: '0f8fad5b-d9cb-469f-a165-70867728950e',
      }),
  })

/** How long a key stands for its first request. */
export const IDEMPOTENCY_MS = 24 * 3_600_000
/**
 * Keys that the process remembers: for the moments in which the view may not have them yet, not for the 24 hours. An entry
 * takes some 250 bytes, so all together 12 MB.
 */
const REMEMBERED: KeyBounds = { ofOwner: 5_000, inAll: 50_000, idleMs: 3_600_000 }

/**
 * A request under a key. Whose key it is counts: two callers of the shared namespace may both say `1`. A caller is who owns
 * keys that were rotated from one another: sent again with the new one, a request is the same.
 */
export interface KeyedRequest extends IdempotentRequest {
  readonly namespace: string
  readonly owner: string
  readonly now: number
}

interface KeyedRequestInput {
  readonly key: string
  readonly path: string
  /** As validated: what is ignored makes no other request. */
  readonly body: unknown
  readonly now: number
}

/**
 * The hashes are keyed with the secret of the jobs: they stand in the log and in a table, where a plain hash of a key
 * such as `1` or of a known article would be found by trying.
 */
export function keyedRequest(
  { namespace, owner }: Caller,
  { key, path, body, now }: KeyedRequestInput,
  secret: string,
): KeyedRequest {
  const hash = (...text: readonly string[]): string =>
    createHmac('sha256', secret).update(text.join('\n')).digest('hex').slice(0, 32)
  return {
    ...{ namespace, owner, now },
    key_hash: hash('idempotency key', namespace, owner, key),
    body_hash: hash('idempotency body', path, JSON.stringify(body)),
  }
}

/** Random base32 characters. */
export const randomId = (length: number): string => base32(randomBytes(length)).slice(0, length)

/** The first base32 characters of a hash in hex. */
export const shortHash = (hex: string, length: number): string => base32(Buffer.from(hex, 'hex')).slice(0, length)

export const keyReused = (): Problem =>
  problem('idempotency_key_reused', 'This Idempotency-Key was used with a different request')

/** What was first asked under a key. */
export interface First {
  readonly body_hash: string
  /** Milliseconds since 1970: the ids of its jobs follow from it. */
  readonly at: number
  /** Jobs of it that the log is known to have. */
  readonly logged: ReadonlySet<string> | 'all'
}

interface Known<Answer> extends InUse {
  /** Requests that use it now: such a key is never dropped. */
  inside: number
  first: First | null
  looking: Promise<First> | null
  submitting: Promise<Answer> | null
}

/**
 * One answer a key. The log is the memory: what it took under a key stands in the view `jobs`, so that every instance
 * finds it, also after a restart. The map here covers the moments until the view has it, lets concurrent requests with
 * one key share one submission, and keeps the time of a submission that failed half way, so that the next attempt is
 * the same events again. It keeps no answer: that follows from the request and from the time of the first.
 *
 * Two instances that get one key within the moments until the view has it both submit. The ids of the articles make
 * that harmless: the second one is the same article again, a no-op. Of a batch of which nothing was accepted the log
 * knows nothing, so another instance may give its refused items other job ids.
 */
export class IdempotencyKeys<Answer> {
  private readonly recent: RecentKeys<Known<Answer>>
  private readonly look: (request: KeyedRequest) => Promise<First | null>

  /** `look`: what the view has of the last 24 hours. */
  constructor(look: (request: KeyedRequest) => Promise<First | null>, bounds: KeyBounds = REMEMBERED) {
    this.look = look
    this.recent = new RecentKeys(bounds)
  }

  /** The answer of the first submission under the key, which `submit` makes or, from its time, makes again. */
  async once(request: KeyedRequest, submit: (first: First) => Promise<Answer>): Promise<Answer | Problem> {
    const make = (): Known<Answer> => ({ inside: 0, first: null, looking: null, submitting: null })
    const known = this.recent.use(request.owner, request.key_hash, { now: request.now, make })
    known.inside++
    try {
      return await this.answer(known, request, submit)
    } finally {
      known.inside--
    }
  }

  private async answer(
    known: Known<Answer>,
    request: KeyedRequest,
    submit: (first: First) => Promise<Answer>,
  ): Promise<Answer | Problem> {
    const first = known.first ?? (await this.firstOf(known, request))
    if (request.now - first.at >= IDEMPOTENCY_MS) {
      this.forget(request, known)
      return this.once(request, submit)
    }
    if (first.body_hash !== request.body_hash) return keyReused()
    return (known.submitting ??= this.submitted(known, first, submit))
  }

  private async submitted(known: Known<Answer>, first: First, submit: (first: First) => Promise<Answer>) {
    try {
      const answer = await submit(first)
      known.first = { ...first, logged: 'all' }
      return answer
    } finally {
      known.submitting = null
    }
  }

  private async firstOf(known: Known<Answer>, request: KeyedRequest): Promise<First> {
    const fresh: First = { body_hash: request.body_hash, at: request.now, logged: new Set() }
    known.looking ??= this.look(request).then((found) => found ?? fresh)
    try {
      return (known.first ??= await known.looking)
    } catch (cause) {
      this.forget(request, known) // the view was away: nothing was submitted, so nothing is known
      throw cause
    } finally {
      known.looking = null
    }
  }

  private forget({ owner, key_hash }: KeyedRequest, known: Known<Answer>): void {
    this.recent.drop(owner, key_hash, known)
  }
}
