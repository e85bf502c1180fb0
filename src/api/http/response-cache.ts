import type { PreparedAnswer } from './answer.ts'
import type { Caller } from './keys/caller.ts'
import { isProblem, type Problem } from './problem.ts'

/** A question as it can be asked again: who may see the answer, and the address with its query, to the letter. */
export interface KeptAnswersQuestion {
  readonly caller: Pick<Caller, 'namespace' | 'tier' | 'key_id'>
  /** Path and query as they were sent. */
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

/** What an entry costs beside its body: objects, a key of an ordinary length. */
const ENTRY_BYTES = 500

/**
 * Answers of reads for a moment. What many ask at once is made once, and asked again soon it costs neither the store nor
 * the making. An answer is found by namespace, tier and the very address: a caller that finds one may see it, and its query
 * is one that was validated. Bounded in bytes and time: the oldest leave first.
 *
 * A caller that has written through this instance gets no answer that was read before: `written` ends the use of every
 * answer begun earlier, for one key or for a whole namespace.
 */
export class KeptAnswers {
  private readonly maxBytes: number
  private readonly kept = new Map<string, CachedAnswer>()
  private readonly making = new Map<string, Making>()
  /** By namespace or key id: the turn of its last write. As many as there are keys. */
  private readonly writes = new Map<string, number>()
  private turn = 0
  private bytes = 0

  /** 0 bytes: nothing is kept or shared. */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  find(question: KeptAnswersQuestion): PreparedAnswer | null {
    const found = this.kept.get(addressOf(question))
    return found !== undefined && found.until > question.now && this.holds(found.begun, question) ? found.made : null
  }

  /** The answer that is being made already, or a new one, kept for `freshMs` if it is no refusal. */
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

  /** A namespace, or one key, has changed something (or received a change). */
  written(who: string): void {
    this.writes.set(who, ++this.turn)
  }

  private holds(begun: number, { caller: { namespace, key_id } }: KeptAnswersQuestion): boolean {
    return begun > (this.writes.get(namespace) ?? 0) && begun > (this.writes.get(key_id) ?? 0)
  }

  private keep(address: string, entry: Omit<CachedAnswer, 'bytes'>, now: number): void {
    const bytes = ENTRY_BYTES + address.length + 2 * entry.made.body.length // with its gzip
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
