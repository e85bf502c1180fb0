import type { Clock } from '../ports/clock.ts'
import type { Log, LogRecord } from '../ports/log.ts'

/** A process's clock may be ahead of the broker's by so much: its records still get their whole time to settle. */
const CLOCKS_DIFFER_MS = 1_000

/** The inputs of a stage on one partition. */
export interface InLogOrderInputs {
  readonly log: Pick<Log, 'ends' | 'read'>
  readonly clock: Clock
  /** As the stage names them: of records that the log took in one millisecond, that of the first topic goes first. */
  readonly topics: readonly string[]
  readonly partition: number
  /** So long after a record was logged, whatever was logged before it can be read. */
  readonly settleMs: number
}

/** Records of one topic that are to be decided. */
export interface Delivered {
  readonly topic: string
  readonly records: readonly LogRecord[]
}

/** What is known of a topic past the place where it was decided. */
interface Ahead {
  readonly topic: string
  readonly index: number
  /** Read; those before `at` are done with. */
  records: readonly LogRecord[]
  at: number
  stream: AsyncIterator<readonly LogRecord[]> | null
  /** Where it ended when it was read to its end: what is left before may be markers of transactions, which nobody sees. */
  readTo: number
  end: number
  /** Its end was asked for after the present records were delivered: what is not there now is from after them. */
  looked: boolean
}

/** The other topics, and how far to look. */
interface Others {
  /** Where the topic that was delivered stands among all. */
  readonly own: number
  readonly ahead: readonly Ahead[]
  readonly readUpTo: ReadonlyMap<string, number>
  /** Milliseconds since 1970: when the last record in hand was logged. */
  readonly until: number
}

/**
 * The one order in which a stage decides the inputs of a partition, whichever of its topics is delivered first: by the
 * time the log took them, then by topic, then by offset. Before a record that was delivered goes whatever the other
 * topics hold from before it, so a live run, a restart in the middle of a backlog and a replay decide alike.
 */
export class InLogOrder {
  private readonly inputs: InLogOrderInputs
  private readonly all: readonly Ahead[]

  constructor(inputs: InLogOrderInputs) {
    this.inputs = inputs
    this.all = inputs.topics.map((topic, index) => ({
      topic,
      index,
      records: [],
      at: 0,
      stream: null,
      readTo: 0,
      end: 0,
      looked: false,
    }))
  }

  /** What was delivered and what goes before it, at most `size` at once. */
  async *chunks(
    { topic, records }: Delivered,
    readUpTo: ReadonlyMap<string, number>,
    size: number,
  ): AsyncGenerator<readonly LogRecord[]> {
    const own = this.inputs.topics.indexOf(topic)
    const ahead = this.all.filter(({ index }) => index !== own)
    const others = { own, ahead, readUpTo, until: records.at(-1)?.loggedAt ?? 0 }
    let chunk: LogRecord[] = []
    try {
      if (records.length > 0) await this.look(others)
      for await (const record of this.merged(records, others)) {
        chunk.push(record)
        if (chunk.length < size) continue
        yield chunk
        chunk = []
      }
      if (chunk.length > 0) yield chunk
    } finally {
      await Promise.all(ahead.map(close))
    }
  }

  private async *merged(records: readonly LogRecord[], others: Others): AsyncGenerator<LogRecord> {
    for (const record of records) {
      for (let next = await this.before(record, others); next !== null; next = await this.before(record, others)) {
        yield next
      }
      yield record
    }
  }

  /** The earliest record of the other topics that goes before this one, taken out; null: there is none left. */
  private async before(record: LogRecord, others: Others): Promise<LogRecord | null> {
    let best: LogRecord = record
    let from: Ahead | null = null
    let rank = others.own
    for (const ahead of others.ahead) {
      const head = await this.head(ahead, others)
      if (head === null || !isEarlier([head.loggedAt, ahead.index], [best.loggedAt, rank])) continue
      best = head
      from = ahead
      rank = ahead.index
    }
    if (from === null) return null
    from.at += 1
    return best
  }

  /** At all at once of which nothing is in hand: their ends are asked for together. */
  private async look({ ahead, readUpTo, until }: Others): Promise<void> {
    const unknown = ahead.filter((one) => inHand(one, readUpTo.get(one.topic) ?? 0) === null)
    if (unknown.length === 0) return
    await this.settle(until)
    await Promise.all(
      unknown.map(async (one) => {
        one.looked = true
        await this.open(one, readUpTo.get(one.topic) ?? 0)
      }),
    )
  }

  private async head(ahead: Ahead, others: Others): Promise<LogRecord | null> {
    const from = others.readUpTo.get(ahead.topic) ?? 0
    for (;;) {
      const head = inHand(ahead, from)
      if (head !== null) return head
      if (!(await this.readOn(ahead, from, others.until))) return null
    }
  }

  /** Reads the next chunk; false: there is none. */
  private async readOn(ahead: Ahead, from: number, until: number): Promise<boolean> {
    if (!ahead.looked) {
      ahead.looked = true
      await this.settle(until)
      await this.open(ahead, from)
    }
    const chunk = await ahead.stream?.next()
    if (chunk === undefined) return false
    if (chunk.done === true) {
      ahead.readTo = ahead.end
      ahead.stream = null
      return false
    }
    ahead.records = chunk.value
    ahead.at = 0
    return true
  }

  /** What was logged just before may not be readable yet: replicas follow at their own pace, transactions end later. */
  private async settle(until: number): Promise<void> {
    const { clock, settleMs } = this.inputs
    const young = clock.now() - until < settleMs + CLOCKS_DIFFER_MS ? settleMs : 0
    if (young > 0) await clock.sleep(young)
  }

  /** Begins to read if there is anything from there on. */
  private async open(ahead: Ahead, from: number): Promise<void> {
    const { log, partition } = this.inputs
    const end = (await log.ends(ahead.topic))[partition]
    if (end === undefined) throw new Error(`the log does not know partition ${partition} of ${ahead.topic} yet`)
    ahead.end = end
    // those in hand are decided, though not for good before their chunk is written
    const next = Math.max(from, (ahead.records.at(-1)?.offset ?? -1) + 1)
    if (ahead.end <= Math.max(next, ahead.readTo)) return
    ahead.stream = log.read(ahead.topic, partition, next)[Symbol.asyncIterator]()
  }
}

/** The next record that was read already; those before `from` are left out, as its own batches may have been decided since. */
function inHand(ahead: Ahead, from: number): LogRecord | null {
  while ((ahead.records[ahead.at]?.offset ?? from) < from) ahead.at += 1
  return ahead.records[ahead.at] ?? null
}

type Rank = readonly [loggedAt: number, topic: number]
const isEarlier = (a: Rank, b: Rank): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

/** What was read stays for the next time, a chunk at most; the connection under it does not. */
async function close(ahead: Ahead): Promise<void> {
  const { stream } = ahead
  ahead.looked = false
  ahead.stream = null
  await stream?.return?.()
}
