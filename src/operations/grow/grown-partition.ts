import type { Appender, MovedRecord } from '../../ports/appender.ts'
import { FILLER, FIRST_PARTITION, type LogRecord, type Place } from '../../ports/log.ts'
import { isStateTopic } from '../../events/topic.ts'

const MAX_RECORDS = 500
const MAX_BYTES = 900_000
/** Fillers are small, so that a request holds more of them. */
const MAX_FILLERS = 5_000

/**
 * A partition of the new generation. Every record gets the offset that it had; fillers take the offsets of the records
 * that belong elsewhere. The end of the partition is therefore how far it is copied.
 */
export class GrownPartition {
  private readonly of: Pick<Place, 'topic' | 'partition'>
  private readonly appender: Pick<Appender, 'append'>
  private pending: MovedRecord[] = []
  private bytes = 0
  private records = 0
  private next: number

  constructor(of: Pick<Place, 'topic' | 'partition'>, end: number, appender: Pick<Appender, 'append'>) {
    this.of = of
    this.next = end
    this.appender = appender
  }

  get end(): number {
    return this.next
  }

  /** Adds a record that was in partition `from`, unless it is copied. */
  async add({ offset, key, value, headers, loggedAt }: LogRecord, from: number): Promise<void> {
    if (offset < this.next) return
    await this.fill(offset, loggedAt)
    const size = (value?.length ?? 0) + (key?.length ?? 0)
    if (this.records >= MAX_RECORDS || this.bytes + size > MAX_BYTES) await this.flush()
    this.pending.push({ offset, key, value, headers: this.headersFrom(headers, from), loggedAt })
    this.bytes += size
    this.records += 1
    this.next = offset + 1
  }

  /** Fills the offsets before `to`. */
  async fill(to: number, loggedAt: number): Promise<void> {
    for (; this.next < to; this.next += 1) {
      if (this.pending.length >= MAX_FILLERS) await this.flush()
      this.pending.push({ ...fillerAt(this.next), loggedAt })
    }
  }

  async flush(): Promise<void> {
    const [first] = this.pending
    if (first === undefined) return
    const records = this.pending
    this.pending = []
    this.bytes = 0
    this.records = 0
    await this.appender.append({ ...this.of, offset: first.offset }, records)
  }

  /** No id is derived from the place of a state update. */
  private headersFrom(headers: LogRecord['headers'], from: number): LogRecord['headers'] {
    const { topic, partition } = this.of
    if (from === partition || headers[FIRST_PARTITION] !== undefined || isStateTopic(topic)) return headers
    return { ...headers, [FIRST_PARTITION]: String(from) }
  }
}

/** Compacted topics reject records without a key. */
const fillerAt = (offset: number) => ({ offset, key: FILLER, value: null, headers: { [FILLER]: '' } })
