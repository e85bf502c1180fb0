import type { Tier } from '../../events/settings.ts'
import type { Caller } from '../http/keys/caller.ts'
import { problem, type Problem } from '../http/problem.ts'

export interface PlaceLimits {
  readonly ofKey: Readonly<Record<Tier, number>>
  readonly ofInstance: number
}

/** Streams and waiting polls together. */
export const PLACES: PlaceLimits = { ofKey: { starter: 5, professional: 50, enterprise: 50 }, ofInstance: 1_000 }

const RETRY_AFTER_SECONDS = 5

/** Who may listen at this instance: so many a key, so many in all. */
export class FeedPlaces {
  private readonly limits: PlaceLimits
  private readonly ofKey = new Map<string, number>()
  private all = 0

  constructor(limits: PlaceLimits = PLACES) {
    this.limits = limits
  }

  /** What gives the place back; a refusal where there is none. */
  take({ key_id, tier }: Pick<Caller, 'key_id' | 'tier'>): (() => void) | Problem {
    const taken = this.ofKey.get(key_id) ?? 0
    const most = this.limits.ofKey[tier]
    const again = { retryAfterSeconds: RETRY_AFTER_SECONDS }
    if (taken >= most) {
      return problem('rate_limited', `A ${tier} key may have ${most} streams and waiting polls at a time`, again)
    }
    if (this.all >= this.limits.ofInstance) {
      return problem('unavailable', 'The service cannot serve more streams at the moment', again)
    }
    this.ofKey.set(key_id, taken + 1)
    this.all += 1
    let here = true
    return () => {
      if (here) this.free(key_id)
      here = false
    }
  }

  private free(key_id: string): void {
    const left = (this.ofKey.get(key_id) ?? 1) - 1
    if (left === 0) this.ofKey.delete(key_id)
    else this.ofKey.set(key_id, left)
    this.all -= 1
  }
}
