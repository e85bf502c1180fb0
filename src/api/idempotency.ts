import { z } from '@hono/zod-openapi'
import type { Request } from '../events/articles.ts'
import { sha256 } from '../events/ids.ts'
import type { Store } from '../ports/store.ts'
import { submissionsUnderKey } from '../views/jobs/queries.ts'
import { readJobId } from './job-id.ts'
import type { Caller } from './keys/caller.ts'
import { problem, type Problem } from './problem.ts'

/** The header of draft-ietf-httpapi-idempotency-key-header: opaque, so quotes are part of it. */
export const IdempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'expected 1 to 255 printable ASCII characters')
    .optional()
    .openapi({
      description:
        'Makes it safe to send a request again: for 24 hours the same key with the same request gives the same jobs, ' +
        'and nothing is submitted twice. Any text of yours, a UUID for instance.',
      example: '0f8fad5b-d9cb-469f-a165-70867728950e',
    }),
})

const KEPT_MS = 24 * 3_600_000
/** Keys remembered in the process: the minutes in which the view may not have them yet, not the 24 hours. */
const REMEMBERED = 5_000

const hash = (text: string): string => sha256(text).toString('hex').slice(0, 32)

/** A request under a key. Whose key it is counts: two callers of the shared namespace may both say `1`. */
export interface Asking extends Request {
  readonly namespace: string
  readonly now: number
}

interface Given {
  readonly key: string
  readonly path: string
  /** As validated: what is ignored makes no other request. */
  readonly body: unknown
  readonly now: number
}

export const asking = ({ namespace, key_id }: Caller, { key, path, body, now }: Given): Asking => ({
  namespace,
  now,
  key_hash: hash(`${namespace}\n${key_id}\n${key}`),
  body_hash: hash(`${path}\n${JSON.stringify(body)}`),
})

/** What was first asked under a key. */
export interface First {
  readonly body_hash: string
  /** Milliseconds since 1970: the ids of its jobs follow from it. */
  readonly at: number
  /** Jobs of it that the log is known to have. */
  readonly logged: ReadonlySet<string>
}

interface Known<Answer> {
  readonly first: Promise<First>
  answer: Promise<Answer> | null
}

/**
 * One answer a key. The log is the memory: what it took under a key stands in the view `jobs`, so that every instance
 * finds it, also after a restart. The map here covers the moments until the view has it, lets concurrent requests with
 * one key share one submission, and keeps the time of a submission that failed half way, so that the next attempt is
 * the same events again.
 *
 * Two instances that get one key within the moments until the view has it both submit. The ids of the articles make
 * that harmless: the second one is the same article again, a no-op. Of a batch of which nothing was accepted the log
 * knows nothing, so another instance may give its refused items other job ids.
 */
export class IdempotencyKeys<Answer> {
  private readonly known = new Map<string, Known<Answer>>()
  private readonly look: (asked: Asking) => Promise<First | null>

  /** `look`: what the view has of the last 24 hours. */
  constructor(look: (asked: Asking) => Promise<First | null>) {
    this.look = look
  }

  /** The answer of the first submission under the key, which `submit` makes or, from its time, makes again. */
  async once(asked: Asking, submit: (first: First) => Promise<Answer>): Promise<Answer | Problem> {
    const known = this.known.get(asked.key_hash) ?? this.remember(asked)
    const first = await this.firstOf(known, asked)
    if (asked.now - first.at >= KEPT_MS) {
      this.forget(asked, known)
      return await this.once(asked, submit)
    }
    if (first.body_hash !== asked.body_hash)
      return problem('idempotency_key_reused', 'This Idempotency-Key came with another request before')

    const answer = (known.answer ??= submit(first))
    try {
      return await answer
    } catch (cause) {
      if (known.answer === answer) known.answer = null
      throw cause
    }
  }

  private remember(asked: Asking): Known<Answer> {
    const fresh = { body_hash: asked.body_hash, at: asked.now, logged: new Set<string>() }
    const known = { first: this.look(asked).then((found) => found ?? fresh), answer: null }
    this.known.set(asked.key_hash, known)
    for (const [oldest] of this.known) {
      if (this.known.size <= REMEMBERED) break
      this.known.delete(oldest)
    }
    return known
  }

  private async firstOf(known: Known<Answer>, asked: Asking): Promise<First> {
    try {
      return await known.first
    } catch (cause) {
      this.forget(asked, known) // the view was away: nothing was submitted, so nothing is known
      throw cause
    }
  }

  private forget({ key_hash }: Asking, known: Known<Answer>): void {
    if (this.known.get(key_hash) === known) this.known.delete(key_hash)
  }
}

/** What the view has under a key, by the oldest job that is not older than 24 hours. */
export const firstInView =
  (store: Store, secret: string) =>
  async ({ namespace, key_hash, now }: Asking): Promise<First | null> => {
    const rows = await submissionsUnderKey(store)({ namespace, key_hash, since: now - KEPT_MS })
    const jobs = rows.flatMap(({ body_hash, job_id }) => {
      const at = readJobId(job_id, { namespace, secret })?.submitted_at
      return at === undefined || now - at >= KEPT_MS ? [] : [{ body_hash, job_id, at }]
    })
    const [oldest] = jobs
    if (oldest === undefined) return null
    return { body_hash: oldest.body_hash, at: oldest.at, logged: new Set(jobs.map(({ job_id }) => job_id)) }
  }
