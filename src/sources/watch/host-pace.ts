import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'

const MOST_HOSTS = 20_000

/** Spaces the requests to each host: a request begins no sooner than `delayMs` after the one before ended. */
export class HostPace {
  private readonly clock: Clock
  private readonly delayMs: number
  private readonly endedAt = new LRUCache<string, number>({ max: MOST_HOSTS })
  private readonly turns = new LRUCache<string, Promise<unknown>>({ max: MOST_HOSTS })

  /** `delayMs`: the shortest delay, for hosts that ask for none. */
  constructor(clock: Clock, delayMs: number) {
    this.clock = clock
    this.delayMs = delayMs
  }

  /** Makes a request when it is its turn. Throws what the request throws, or when the signal aborts. */
  async inTurn<Result>(
    host: string,
    { delayMs = 0, signal }: { readonly delayMs?: number; readonly signal: AbortSignal },
    request: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.turns.get(host) ?? Promise.resolve()
    const turn = before.then(async () => {
      const wait = (this.endedAt.get(host) ?? -Infinity) + Math.max(delayMs, this.delayMs) - this.clock.now()
      if (wait > 0) await this.clock.sleep(wait, signal)
      signal.throwIfAborted()
      return request().finally(() => this.endedAt.set(host, this.clock.now()))
    })
    const ended = turn.catch(() => undefined)
    this.turns.set(host, ended)
    return turn
  }
}
