import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import { responseKind, waitSeconds, type RequestResponse } from '../feeds/response-kind.ts'

const MOST_HOSTS = 20_000
/** Where the server names no time. It doubles with each limited response in a row. */
const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000
const MOST_DOUBLINGS = 10

interface LimitedHost {
  /** Milliseconds since 1970. */
  readonly until: number
  /** Limited responses in a row: since the last response that was not limited. */
  readonly times: number
}

/** How long hosts that limited a request are left alone: by `Retry-After`, or ever longer. Of this process only. */
export class HostLimits {
  private readonly clock: Pick<Clock, 'now'>
  private readonly limited = new LRUCache<string, LimitedHost>({ max: MOST_HOSTS })

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock
  }

  /** 0 if the host may be requested. */
  waitMs(host: string): number {
    return Math.max(0, (this.limited.get(host)?.until ?? 0) - this.clock.now())
  }

  /** Takes in the response of a host. */
  observe(host: string, response: RequestResponse): void {
    if (responseKind(response) !== 'limited') {
      this.limited.delete(host)
      return
    }
    const now = this.clock.now()
    const times = (this.limited.get(host)?.times ?? 0) + 1
    const seconds = waitSeconds(response, now)
    const backOff = Math.min(FIRST_WAIT_MS * 2 ** Math.min(times - 1, MOST_DOUBLINGS), LONGEST_WAIT_MS)
    this.limited.set(host, { until: now + (seconds === null ? backOff : seconds * 1000), times })
  }
}
