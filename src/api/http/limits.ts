import type { Tier } from '../../events/settings.ts'
import type { Caller } from './keys/caller.ts'
import type { OperationCost } from './openapi/operation.ts'

const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1_000
/** Status polls have their own bucket, because clients poll every half second. */
const POLLS_PER_MINUTE = 600

export interface Spent {
  readonly allowed: boolean
  /** Seconds until the next request is allowed; 0 if this one was allowed. */
  readonly retryAfterSeconds: number
  readonly headers: Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>
}

export type RateLimits = (
  caller: Pick<Caller, 'key_id' | 'tier'>,
  cost: Exclude<OperationCost, 'nothing'>,
  now: number,
) => Spent

interface LimitsBucket {
  tokens: number
  at: number
}

/**
 * A token bucket per key with a capacity of one minute and a constant refill. Buckets are kept in memory, so each API
 * instance counts separately. Refused requests are not charged. A bucket that was not used for a minute is full again
 * and is evicted.
 */
export function limits(perMinute: Readonly<Record<Tier, number>>): RateLimits {
  const buckets = { default: new Buckets(), poll: new Buckets() }

  return ({ key_id, tier }, cost, now) => {
    const policy = cost === 'poll' ? 'poll' : 'default'
    const quota = cost === 'poll' ? POLLS_PER_MINUTE : perMinute[tier]
    const bucket = buckets[policy].get(key_id, now) ?? buckets[policy].add(key_id, { tokens: quota, at: now })
    refill(bucket, quota, now)
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1

    const secondsFor = (tokens: number): number => Math.ceil((Math.max(tokens, 0) * WINDOW_SECONDS) / quota)
    return {
      allowed,
      retryAfterSeconds: allowed ? 0 : Math.max(1, secondsFor(1 - bucket.tokens)),
      headers: {
        'ratelimit-policy': `"${policy}";q=${quota};w=${WINDOW_SECONDS}`,
        ratelimit: `"${policy}";r=${Math.floor(bucket.tokens)};t=${secondsFor(quota - bucket.tokens)}`,
      },
    }
  }
}

/** Buckets by key. Evicts those that were not used for a minute, in one pass per minute. */
class Buckets {
  private readonly byKey = new Map<string, LimitsBucket>()
  private evictedAt = 0

  get(key: string, now: number): LimitsBucket | undefined {
    if (now - this.evictedAt >= WINDOW_MS) this.evict(now)
    return this.byKey.get(key)
  }

  add(key: string, bucket: LimitsBucket): LimitsBucket {
    this.byKey.set(key, bucket)
    return bucket
  }

  private evict(now: number): void {
    this.evictedAt = now
    for (const [key, { at }] of this.byKey) if (now - at >= WINDOW_MS) this.byKey.delete(key)
  }
}

function refill(bucket: LimitsBucket, quota: number, now: number): void {
  const elapsedMs = Math.max(0, now - bucket.at)
  bucket.tokens = Math.min(quota, bucket.tokens + (elapsedMs * quota) / WINDOW_MS)
  bucket.at = now
}
