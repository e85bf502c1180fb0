import { createHmac, randomBytes } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { IdempotentRequest } from '../../events/articles.ts'
import { base32 } from '../../events/ids.ts'
import type { Caller } from './keys/caller.ts'
import { RecentKeys, type InUse, type KeyBounds } from './recent-keys.ts'
import { problem, type Problem } from './problem.ts'

/**
 * The header of draft-ietf-httpapi-idempotency-key-header. The value is opaque, so quotes are part of it. `gives`
 * describes what a repeated request returns.
 */
export const idempotencyKey = (gives: string) =>
  z.object({
    'Idempotency-Key': z
      .string()
      .regex(/^[\x20-\x7e]{1,255}$/, 'expected 1 to 255 printable ASCII characters')
      .optional()
      .openapi({
        description:
          `Makes retries safe: for 24 hours, the same key with the same request ${gives}. Use any unique text, ` +
          'such as a UUID. A key and the keys it was rotated to count as one caller.',
        example: '0f8fad5b-d9cb-469f-a165-70867728950e',
      }),
  })

/** A key is valid for this long after its first request. */
export const IDEMPOTENCY_MS = 24 * 3_600_000
/**
 * Limits of the keys in memory. They only cover the time until the view `jobs` has a request, not the 24 hours. An
 * entry takes about 250 bytes, so at most 12 MB in total.
 */
const CACHE_LIMITS: KeyBounds = { ofOwner: 5_000, inAll: 50_000, idleMs: 3_600_000 }

/**
 * A request with an `Idempotency-Key`. Keys are scoped to a caller: two callers of the shared namespace may both use
 * `1`. A key and the keys it was rotated to are one caller, so a retry with the new API key is the same request.
 */
export interface KeyedRequest extends IdempotentRequest {
  readonly namespace: string
  readonly owner: string
  readonly now: number
}

interface KeyedRequestInput {
  readonly key: string
  readonly path: string
  /** The validated body. Ignored fields do not make it a different request. */
  readonly body: unknown
  readonly now: number
}

/**
 * Hashes the key and the body with HMAC, using the secret of the job ids. The hashes are stored in the log and in a
 * table, where a plain hash of a key such as `1`, or of a known article, could be guessed.
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

/** The first request with a key. */
export interface First {
  readonly body_hash: string
  /** Milliseconds since 1970. The job ids are derived from it. */
  readonly at: number
  /** The request's jobs that are known to be in the log. */
  readonly logged: ReadonlySet<string> | 'all'
}

interface KeyEntry<Answer> extends InUse {
  /** Number of requests that use the entry now. An entry in use is never evicted. */
  users: number
  first: First | null
  lookup: Promise<First> | null
  submitting: Promise<Answer> | null
}

/**
 * Ensures one response per `Idempotency-Key`. The log is the source of truth: the view `jobs` has every submission
 * under a key, so every instance finds it, also after a restart. The map in memory covers the time until the view has
 * it. It lets concurrent requests with one key share a submission, and keeps the time of a submission that failed
 * halfway, so that a retry produces the same events. Responses are not stored: they are derived from the request and
 * the time of the first request.
 *
 * If two instances receive one key before the view has it, both submit. This is harmless: the article ids are the same,
 * so the second submission is a no-op. The log has no record of a batch in which every item was refused, so another
 * instance may give those items different job ids.
 */
export class IdempotencyKeys<Answer> {
  private readonly recent: RecentKeys<KeyEntry<Answer>>
  private readonly findFirst: (request: KeyedRequest) => Promise<First | null>

  /** `findFirst` finds the first request of the last 24 hours in the view. */
  constructor(look: (request: KeyedRequest) => Promise<First | null>, bounds: KeyBounds = CACHE_LIMITS) {
    this.findFirst = look
    this.recent = new RecentKeys(bounds)
  }

  /**
   * The response to the first request with the key. `submit` makes it, and reproduces it from the time of the first
   * request.
   */
  async once(request: KeyedRequest, submit: (first: First) => Promise<Answer>): Promise<Answer | Problem> {
    const make = (): KeyEntry<Answer> => ({ users: 0, first: null, lookup: null, submitting: null })
    const known = this.recent.use(request.owner, request.key_hash, { now: request.now, make })
    known.users++
    try {
      return await this.answer(known, request, submit)
    } finally {
      known.users--
    }
  }

  private async answer(
    known: KeyEntry<Answer>,
    request: KeyedRequest,
    submit: (first: First) => Promise<Answer>,
  ): Promise<Answer | Problem> {
    const first = known.first ?? (await this.firstOf(known, request))
    if (request.now - first.at >= IDEMPOTENCY_MS) {
      this.drop(request, known)
      return this.once(request, submit)
    }
    if (first.body_hash !== request.body_hash) return keyReused()
    return (known.submitting ??= this.submitted(known, first, submit))
  }

  private async submitted(known: KeyEntry<Answer>, first: First, submit: (first: First) => Promise<Answer>) {
    try {
      const answer = await submit(first)
      known.first = { ...first, logged: 'all' }
      return answer
    } finally {
      known.submitting = null
    }
  }

  private async firstOf(known: KeyEntry<Answer>, request: KeyedRequest): Promise<First> {
    const fresh: First = { body_hash: request.body_hash, at: request.now, logged: new Set() }
    known.lookup ??= this.findFirst(request).then((found) => found ?? fresh)
    try {
      return (known.first ??= await known.lookup)
    } catch (cause) {
      this.drop(request, known) // the view was unavailable: nothing was submitted
      throw cause
    } finally {
      known.lookup = null
    }
  }

  private drop({ owner, key_hash }: KeyedRequest, known: KeyEntry<Answer>): void {
    this.recent.drop(owner, key_hash, known)
  }
}
