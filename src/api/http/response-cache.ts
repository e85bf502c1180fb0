import type { PreparedAnswer } from './answer.ts'
import type { Caller } from './keys/caller.ts'
import { isProblem, type Problem } from './problem.ts'

/** The cache key of a request: the caller's namespace and tier, and the exact path and query. */
export interface KeptAnswersQuestion {
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

interface Making {
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
export class KeptAnswers {
  private readonly maxBytes: number
  private readonly kept = new Map<string, CachedAnswer>()
  private readonly making = new Map<string, Making>()
  /** The turn of the last write, by namespace or key id. At most one entry per namespace and key. */
  private readonly writes = new Map<string, number>()
  private turn = 0
  private bytes = 0

  /** With 0 bytes nothing is cached or shared. */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  find(question: KeptAnswersQuestion): PreparedAnswer | null {
    const found = this.kept.get(addressOf(question))
    return found !== undefined && found.until > question.now && this.holds(found.begun, question) ? found.made : null
  }

  /** Joins a running execution, or starts one and caches its response for `freshMs`. Errors are not cached. */
  async made(
    question: KeptAnswersQuestion,
    freshMs: number,
    make: () => Promise<PreparedAnswer | Problem>,
  ): Promise<PreparedAnswer | Problem> {
    if (this.maxBytes === 0) return make()
    const address = addressOf(question)
    const shared = this.making.get(address)
    if (shared !== undefined && this.holds(shared.begun, question)) return shared.answer

    const making: Making = { begun: ++this.turn, answer: make() }
    this.making.set(address, making)
    try {
      const made = await making.answer
      if (!isProblem(made))
        this.keep(address, { made, begun: making.begun, until: question.now + freshMs }, question.now)
      return made
    } finally {
      if (this.making.get(address) === making) this.making.delete(address)
    }
  }

  /** Records that a namespace or a key has changed something, or has seen a newer state. */
  written(who: string): void {
    this.writes.set(who, ++this.turn)
  }

  private holds(begun: number, { caller: { namespace, key_id } }: KeptAnswersQuestion): boolean {
    return begun > (this.writes.get(namespace) ?? 0) && begun > (this.writes.get(key_id) ?? 0)
  }

  private keep(address: string, entry: Omit<CachedAnswer, 'bytes'>, now: number): void {
    const bytes = ENTRY_BYTES + address.length + 2 * entry.made.body.length // twice, for the gzip body
    const newer = (this.kept.get(address)?.begun ?? 0) > entry.begun
    if (newer || bytes > this.maxBytes) return
    this.drop(address)
    this.kept.set(address, { ...entry, bytes })
    this.bytes += bytes
    for (const [oldest, { until }] of this.kept) {
      if (this.bytes <= this.maxBytes && until > now) break
      this.drop(oldest)
    }
  }

  private drop(address: string): void {
    this.bytes -= this.kept.get(address)?.bytes ?? 0
    this.kept.delete(address)
  }
}

const addressOf = ({ caller: { namespace, tier }, target }: KeptAnswersQuestion): string =>
  `${namespace} ${tier} ${target}`
