import type { Topic } from '../events/topic.ts'

/** Where a record stands in the log. */
export interface Place {
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

export type Headers = Readonly<Record<string, string>>

/**
 * Header of a record that was sent again from the dead letters: the stage that had set it aside. It is for that stage and
 * for views; other readers of the topic have read it already.
 */
export const RETRIED_FOR = 'retried_for'

/** A record as the log keeps it: bytes. */
export interface LogRecord extends Place {
  readonly key: string | null
  /** Null: a tombstone. */
  readonly value: Buffer | null
  readonly headers: Headers
  /** When the log took it (LogAppendTime), milliseconds since 1970. */
  readonly loggedAt: number
}

/** A record on its way out. Without a partition the key decides. */
export interface OutRecord {
  readonly topic: string
  readonly key: string | null
  readonly value: Buffer | null
  readonly headers?: Headers
  readonly partition?: number
}

/** A record is larger than its topic takes: trying again would not help. Nothing of a transaction it was in is written. */
export class RecordTooLarge extends Error {
  override readonly name = 'RecordTooLarge'
}

/** Records of one partition, in order. Nothing is read for good before `commit`. */
export interface Batch {
  readonly topic: string
  readonly partition: number
  readonly records: readonly LogRecord[]
  /** The offset after the last record the partition holds: the distance to it is the lag. */
  readonly highWatermark: number
  /** What to commit once every record is done: past gaps and transaction markers, which nobody ever sees. */
  readonly end: number
  /** Says that we are alive; call between parts of long work. */
  heartbeat(): Promise<void>
  /**
   * The next offset to read after a restart. `metadata` travels with it (attempt notes). Also once the batch is done with,
   * and behind what was read: the current reader goes on where it was.
   */
  commit(nextOffset: number, metadata?: string): Promise<void>
  /** True once the partition was taken away: what is being done must not be written any more. */
  isStale(): boolean
  /**
   * Call when the batch is being retried: other partitions go on meanwhile. Its own delivers nothing more, in no topic of
   * the group, until the handler of this batch has settled; what the handler did not finish is delivered again then.
   */
  giveWay(): void
}

/** The consumer group in which a view reads. */
export const viewGroup = (view: string): string => `view:${view}`

export interface Subscription {
  readonly group: string
  readonly topics: readonly string[]
  /** The broker answers at once when there is this much, else after `maxWaitMs`. */
  readonly minBytes: number
  readonly maxWaitMs: number
  /** Called with the topic partitions now ours, before their first batch. */
  readonly onAssigned?: (places: readonly { readonly topic: string; readonly partition: number }[]) => Promise<void>
  /** Called whenever the members of the group have settled who reads what, with what is ours; also when that is nothing. */
  readonly onJoined?: (places: readonly { readonly topic: string; readonly partition: number }[]) => void
  /** The consumer has ended for good: the process should exit. */
  readonly onCrash: (cause: Error) => void
}

export interface Consumer {
  /** Finishes the batch in hand, leaves the group. */
  stop(): Promise<void>
}

/** One transaction at a time: records and read offsets become visible together or not at all. Throws as `produce` does. */
export interface TransactionalWriter {
  write(records: readonly OutRecord[], read: { readonly group: string; readonly next: readonly Place[] }): Promise<void>
  close(): Promise<void>
}

/** Resolves when a batch is done with; a throw ends the consumer. */
export type BatchHandler = (batch: Batch) => Promise<void>

/** The log: Kafka, or the memory log of the tests. Both pass `test/contracts/log.ts`. */
export interface Log {
  /**
   * Resolves when every replica has the records, with the time the log took the last of them (milliseconds since 1970;
   * 0: there were none). Throws `RecordTooLarge` for one that will never be taken.
   */
  produce(records: readonly OutRecord[]): Promise<number>
  consume(subscription: Subscription, handle: BatchHandler): Promise<Consumer>
  /** A writer that fences every earlier one of the same id. */
  writer(transactionalId: string): Promise<TransactionalWriter>
  /** Every committed record of a partition from `from` to the end as it is now, in chunks. */
  read(topic: string, partition: number, from: number): AsyncIterable<readonly LogRecord[]>
  /** Offset of the first record that is still there, by partition: above 0 where the log has let its beginning go. */
  starts(topic: string): Promise<readonly number[]>
  /** Offset after the last record, by partition. */
  ends(topic: string): Promise<readonly number[]>
  /** Offset of the first record logged at a time (milliseconds since 1970) or later, by partition; its end where there is none. */
  since(topic: string, time: number): Promise<readonly number[]>
  /** Next offset a group will read, by partition; null where it has never committed. */
  committed(group: string, topic: string): Promise<readonly (number | null)[]>
  /** From now on the group has never committed anything. Throws while it has a member; one that died counts for a while. */
  forget(group: string): Promise<void>
  /** The metadata that went with the newest commits, by partition. */
  notes(group: string, topic: string): Promise<readonly (string | null)[]>
  close(): Promise<void>
}

/** Bytes on the wire to events and back. A registry that is away throws (try again); bad bytes are an answer. */
export interface Codec {
  encode<Event>(topic: Topic<Event>, event: Event): Promise<Buffer>
  decode<Event>(topic: Topic<Event>, value: Buffer): Promise<Decoded<Event>>
}

export type Decoded<Event> =
  | { readonly kind: 'event'; readonly event: Event }
  /** `malformed_avro`, `unknown_schema`, `schema_mismatch`: constants, because they become metric labels. */
  | { readonly kind: 'malformed'; readonly reason: string; readonly cause?: unknown }
