import type { Tier } from '../events/settings.ts'
import type { Caller } from './keys/caller.ts'
import type { Cost } from './operation.ts'

const WINDOW_SECONDS = 60
/** Status polls have a bucket of their own: clients poll every half second. */
const POLLS_PER_MINUTE = 600

export interface Spent {
  readonly allowed: boolean
  /** Seconds until the next request would be allowed; 0 when this one was. */
  readonly retryAfterSeconds: number
  readonly headers: Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>
}

export type Limits = (caller: Caller, cost: Exclude<Cost, 'nothing'>, now: number) => Spent

interface Bucket {
  tokens: number
  at: number
}

/** A token bucket a key, a minute deep, refilled evenly; kept in memory, so each instance of the API counts for itself. */
export function limits(perMinute: Readonly<Record<Tier, number>>): Limits {
  const buckets = new Map<string, Bucket>()

  return ({ key_id, tier }, cost, now) => {
    const policy = cost === 'poll' ? 'poll' : 'default'
    const quota = cost === 'poll' ? POLLS_PER_MINUTE : perMinute[tier]
    const bucket = refilled(buckets.get(`${policy}:${key_id}`), quota, now)
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    buckets.set(`${policy}:${key_id}`, bucket)

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

function refilled(bucket: Bucket | undefined, quota: number, now: number): Bucket {
  if (bucket === undefined) return { tokens: quota, at: now }
  const elapsedMs = Math.max(0, now - bucket.at)
  return { tokens: Math.min(quota, bucket.tokens + (elapsedMs * quota) / (WINDOW_SECONDS * 1_000)), at: now }
}
