import type { Clock } from '../ports/clock.ts'
import type { Log, LogRecord } from '../ports/log.ts'

/** A process's clock may be this far ahead of the broker's. Its records still get the full settling time. */
const CLOCKS_DIFFER_MS = 1_000

/** The inputs of a stage on one partition. */
export interface InLogOrderInputs {
  readonly log: Pick<Log, 'ends' | 'read'>
  readonly clock: Clock
  /**
   * In the order in which the stage lists them. Among records logged in the same millisecond, those of the earlier
   * topic come first.
   */
  readonly topics: readonly string[]
  readonly partition: number
  /** This long after a record was logged, every record logged before it is readable. */
  readonly settleMs: number
}

/** Records of one topic that are to be decided. */
export interface Delivered {
  readonly topic: string
  readonly records: readonly LogRecord[]
}

/** Read-ahead buffer of one topic, beyond the offset that is already decided. */
interface Ahead {
  readonly topic: string
  readonly index: number
  /** Records that were read; those before index `at` are done. */
  records: readonly LogRecord[]
  at: number
  stream: AsyncIterator<readonly LogRecord[]> | null
  /**
   * The end offset at the time the topic was last read to its end. Offsets below it that hold no record may be
   * transaction markers, which readers never see.
   */
  readTo: number
  end: number
  /**
   * The end offset was requested after the current records were delivered, so any record missing now was logged after
   * them.
   */
  endRequested: boolean
}

/** The other topics, and how far to read them. */
interface Others {
  /** Index of the delivered topic among all topics. */
  readonly own: number
  readonly ahead: readonly Ahead[]
  readonly readUpTo: ReadonlyMap<string, number>
  /** When the last delivered record was logged, milliseconds since 1970. */
  readonly until: number
}

/**
 * The single order in which a stage decides the inputs of a partition, independent of which topic is delivered first:
 * by log time, then by topic, then by offset. Earlier records of the other topics are decided before a delivered
 * record. A live run, a restart in the middle of a backlog and a replay therefore make the same decisions.
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
      endRequested: false,
    }))
  }

  /** Yields the delivered records and all earlier records of the other topics, in chunks of at most `size`. */
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
      if (records.length > 0) await this.openAll(others)
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

  /** Takes the earliest record of the other topics that comes before this one. `null` if there is none left. */
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

  /** Requests the end offsets of all topics without buffered records at once. */
  private async openAll({ ahead, readUpTo, until }: Others): Promise<void> {
    const unknown = ahead.filter((one) => nextBuffered(one, readUpTo.get(one.topic) ?? 0) === null)
    if (unknown.length === 0) return
    await this.settle(until)
    await Promise.all(
      unknown.map(async (one) => {
        one.endRequested = true
        await this.open(one, readUpTo.get(one.topic) ?? 0)
      }),
    )
  }

  private async head(ahead: Ahead, others: Others): Promise<LogRecord | null> {
    const from = others.readUpTo.get(ahead.topic) ?? 0
    for (;;) {
      const head = nextBuffered(ahead, from)
      if (head !== null) return head
      if (!(await this.readOn(ahead, from, others.until))) return null
    }
  }

  /** Reads the next chunk. Returns `false` if there is none. */
  private async readOn(ahead: Ahead, from: number, until: number): Promise<boolean> {
    if (!ahead.endRequested) {
      ahead.endRequested = true
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

  /** Records logged just before `until` may not be readable yet: replicas lag behind, and transactions end later. */
  private async settle(until: number): Promise<void> {
    const { clock, settleMs } = this.inputs
    const young = clock.now() - until < settleMs + CLOCKS_DIFFER_MS ? settleMs : 0
    if (young > 0) await clock.sleep(young)
  }

  /** Starts reading if the topic has any record from this offset on. */
  private async open(ahead: Ahead, from: number): Promise<void> {
    const { log, partition } = this.inputs
    const end = (await log.ends(ahead.topic))[partition]
    if (end === undefined) throw new Error(`the log does not know partition ${partition} of ${ahead.topic} yet`)
    ahead.end = end
    // buffered records are already decided, although not committed before their chunk is written
    const next = Math.max(from, (ahead.records.at(-1)?.offset ?? -1) + 1)
    if (ahead.end <= Math.max(next, ahead.readTo)) return
    ahead.stream = log.read(ahead.topic, partition, next)[Symbol.asyncIterator]()
  }
}

/** The next buffered record. Skips records before `from`, which the topic's own batches may have decided since. */
function nextBuffered(ahead: Ahead, from: number): LogRecord | null {
  while ((ahead.records[ahead.at]?.offset ?? from) < from) ahead.at += 1
  return ahead.records[ahead.at] ?? null
}

type Rank = readonly [loggedAt: number, topic: number]
const isEarlier = (a: Rank, b: Rank): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

/** Keeps the buffered records (one chunk at most) for the next call and closes the connection. */
async function close(ahead: Ahead): Promise<void> {
  const { stream } = ahead
  ahead.endRequested = false
  ahead.stream = null
  await stream?.return?.()
}
