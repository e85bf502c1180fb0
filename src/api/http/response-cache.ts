import type { PreparedAnswer } from './answer.ts'
import type { Caller } from './keys/caller.ts'
import { isProblem, type Problem } from './problem.ts'

/** The cache key of a request: the caller's namespace and tier, and the exact path and query. */
export interface CacheLookup {
  readonly caller: Pick<Caller, 'namespace' | 'tier' | 'key_id'>
  /** Path and query as received. */
  readonly target: string
  /** Milliseconds since 1970. */
  readonly now: number
}

interface CachedAnswer {
  readonly made: PreparedAnswer
  readonly begun: number
  readonly until: number
  readonly bytes: number
}

interface RunningRequest {
  readonly begun: number
  readonly answer: Promise<PreparedAnswer | Problem>
}

/** Overhead of an entry in addition to its body: the objects and a key of typical length. */
const ENTRY_BYTES = 500

/**
 * The response cache for reads. Concurrent identical requests share one execution, and repeated requests within a short
 * time need neither a query nor serialization. Responses are keyed by namespace, tier and exact URL, so every caller
 * that finds one may see it and its parameters are valid. The cache is bounded in bytes and time; the oldest entries
 * are evicted first.
 *
 * A caller that has written through this instance never gets a response from before the write: `written` invalidates
 * every response begun earlier, for one key or for a whole namespace.
 */
export class ResponseCache {
  private readonly maxBytes: number
  private readonly entries = new Map<string, CachedAnswer>()
  private readonly running = new Map<string, RunningRequest>()
  /** The turn of the last write, by namespace or key id. At most one entry per namespace and key. */
  private readonly writes = new Map<string, number>()
  private turn = 0
  private bytes = 0

  /** With 0 bytes nothing is cached or shared. */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  find(lookup: CacheLookup): PreparedAnswer | null {
    const found = this.entries.get(addressOf(lookup))
    return found !== undefined && found.until > lookup.now && this.isCurrent(found.begun, lookup) ? found.made : null
  }

  /** Joins a running execution, or starts one and caches its response for `freshMs`. Errors are not cached. */
  async getOrMake(
    lookup: CacheLookup,
    freshMs: number,
    make: () => Promise<PreparedAnswer | Problem>,
  ): Promise<PreparedAnswer | Problem> {
    if (this.maxBytes === 0) return make()
    const address = addressOf(lookup)
    const shared = this.running.get(address)
    if (shared !== undefined && this.isCurrent(shared.begun, lookup)) return shared.answer

    const making: RunningRequest = { begun: ++this.turn, answer: make() }
    this.running.set(address, making)
    try {
      const made = await making.answer
      if (!isProblem(made)) this.store(address, { made, begun: making.begun, until: lookup.now + freshMs }, lookup.now)
      return made
    } finally {
      if (this.running.get(address) === making) this.running.delete(address)
    }
  }

  /** Records that a namespace or a key has changed something, or has seen a newer state. */
  written(who: string): void {
    this.writes.set(who, ++this.turn)
  }

  private isCurrent(begun: number, { caller: { namespace, key_id } }: CacheLookup): boolean {
    return begun > (this.writes.get(namespace) ?? 0) && begun > (this.writes.get(key_id) ?? 0)
  }

  private store(address: string, entry: Omit<CachedAnswer, 'bytes'>, now: number): void {
    const bytes = ENTRY_BYTES + address.length + 2 * entry.made.body.length // twice, for the gzip body
    const newer = (this.entries.get(address)?.begun ?? 0) > entry.begun
    if (newer || bytes > this.maxBytes) return
    this.drop(address)
    this.entries.set(address, { ...entry, bytes })
    this.bytes += bytes
    for (const [oldest, { until }] of this.entries) {
      if (this.bytes <= this.maxBytes && until > now) break
      this.drop(oldest)
    }
  }

  private drop(address: string): void {
    this.bytes -= this.entries.get(address)?.bytes ?? 0
    this.entries.delete(address)
  }
}

const addressOf = ({ caller: { namespace, tier }, target }: CacheLookup): string => `${namespace} ${tier} ${target}`
