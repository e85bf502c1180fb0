import { MAIN_STORE } from '../domain/stores.ts'
import type { Topic } from '../events/topic.ts'

/** Position of a record in the log. */
export interface Place {
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

export type Headers = Readonly<Record<string, string>>

/**
 * Header of a record that was retried from the dead letters: the stage that had rejected it. Only that stage and views
 * process it; other readers of the topic have read the original record.
 */
export const RETRIED_FOR = 'retried_for'

/**
 * Header of a record that takes an offset without holding anything, so that the records after it keep their offsets. It
 * is never processed, like a transaction marker.
 */
export const FILLER = 'filler'

export const isFiller = ({ headers }: Pick<LogRecord, 'headers'>): boolean => headers[FILLER] !== undefined

/**
 * Header of a record that moved to another partition when the number of partitions grew: the partition in which it was
 * first logged. Its offset is the same.
 */
export const FIRST_PARTITION = 'first_partition'

/** A record in the log; key, value and headers are not decoded. */
export interface LogRecord extends Place {
  readonly key: string | null
  /** `null` for a tombstone. */
  readonly value: Buffer | null
  readonly headers: Headers
  /** Log append time, milliseconds since 1970. */
  readonly loggedAt: number
}

/** A record to be written. Without a partition, the key determines it. */
export interface OutRecord {
  readonly topic: string
  readonly key: string | null
  readonly value: Buffer | null
  readonly headers?: Headers
  readonly partition?: number
}

/** A record is larger than its topic accepts, so a retry does not help. No record of its transaction is written. */
export class RecordTooLarge extends Error {
  override readonly name = 'RecordTooLarge'
}

/** Records of one partition, in order. They are delivered again after a restart unless `commit` is called. */
export interface Batch {
  readonly topic: string
  readonly partition: number
  readonly records: readonly LogRecord[]
  /** The offset after the last record of the partition; the distance to it is the lag. */
  readonly highWatermark: number
  /**
   * The offset to commit once every record is processed. It is after gaps and transaction markers, which are not
   * delivered.
   */
  readonly end: number
  /** Keeps the group membership alive; call it between parts of long work. */
  heartbeat(): Promise<void>
  /**
   * Commits the next offset to read after a restart; `metadata` is stored with it (attempt notes). May be called after
   * the batch is finished and with an earlier offset: the read position does not change.
   */
  commit(nextOffset: number, metadata?: string): Promise<void>
  /** True once the log has shown that the partition was revoked. */
  isRevoked(): boolean
  /**
   * True once the partition was revoked, or may have been because no heartbeat was answered for a session: results must no
   * longer be written. A process that was busy, or waited for a broker, may still have the partition.
   */
  isStale(): boolean
  /**
   * Call when the batch is being retried, so that other partitions continue. Until the handler returns or throws,
   * nothing of this partition is delivered, in any topic of the group; unfinished records are then delivered again.
   */
  giveWay(): void
}

/** The consumer group that fills a view, in the store of that name. */
export const viewGroup = (view: string, store = MAIN_STORE): string =>
  store === MAIN_STORE ? `view:${view}` : `view:${view}@${store}`

/** The same with the name of the store, `main` too, as `ViewedLog` reads it. */
export const viewGroupOf = (view: string, store: string): string => `view:${view}@${store}`

export interface Subscription {
  readonly group: string
  readonly topics: readonly string[]
  /**
   * While records arrive, the broker responds as soon as it has this many bytes, or after `maxWaitMs`. An idle consumer
   * may wait longer, for the first record.
   */
  readonly minBytes: number
  readonly maxWaitMs: number
  /** How many batches, each of another topic partition, are handled at once. Default 1. */
  readonly concurrency?: number
  /** Called with the newly assigned topic partitions, before their first batch. */
  readonly onAssigned?: (places: readonly { readonly topic: string; readonly partition: number }[]) => Promise<void>
  /** Called after each rebalance with the assigned topic partitions, which may be none. */
  readonly onJoined?: (places: readonly { readonly topic: string; readonly partition: number }[]) => void
  /** Only for a consumer with state. */
  readonly standbys?: Standbys
  /** Called if the consumer has ended permanently: the process should exit. */
  readonly onCrash: (cause: Error) => void
}

/** Copies of state beside that of its owner, so that another member can go on when the owner ends. */
export interface Standbys {
  /** The number of copies of each partition, if there are as many other members. */
  readonly replicas: number
  /** The partitions that this member has a copy of. They go to it rather than to a member without a copy. */
  copies(): readonly number[]
  /** The partitions whose state this member has in memory as a standby. They go to it first. */
  holds(): readonly number[]
  /** Called after each rebalance with the partitions that this member shall be the standby of. */
  onAssigned(partitions: readonly number[]): void
}

export interface Consumer {
  /** Finishes the current batch and leaves the group. */
  stop(): Promise<void>
}

/** The offsets that a group has read up to; `metadata` is stored with a commit. */
export interface ReadOffsets {
  readonly group: string
  readonly next: readonly (Place & { readonly metadata?: string })[]
}

/** Writes one transaction at a time: records and read offsets are committed atomically. Throws like `produce`. */
export interface TransactionalWriter {
  write(records: readonly OutRecord[], read: ReadOffsets): Promise<void>
  close(): Promise<void>
}

export interface Incarnation {
  /** Differs for a topic that was deleted and created again under the same name. */
  readonly topicId: string
  /** Raised each time another broker becomes the leader. */
  readonly epoch: number
}

/** Resolves when a batch is finished. If it throws, the consumer ends. */
export type BatchHandler = (batch: Batch) => Promise<void>

/** The log: Kafka, or an in-memory log for tests. Both pass `test/contracts/log.ts`. */
export interface Log {
  /**
   * Resolves when every replica has the records, with the log append time of the last one (milliseconds since 1970; 0
   * if there were none). Throws `RecordTooLarge` for a record that can never be accepted.
   */
  produce(records: readonly OutRecord[]): Promise<number>
  consume(subscription: Subscription, handle: BatchHandler): Promise<Consumer>
  /** Opens a writer and fences earlier writers with the same id. */
  writer(transactionalId: string): Promise<TransactionalWriter>
  /** Reads the committed records of a partition, in chunks, from `from` to the current end. */
  read(topic: string, partition: number, from: number): AsyncIterable<readonly LogRecord[]>
  /** Offset of the first retained record, by partition. Above 0 after retention has deleted records. */
  starts(topic: string): Promise<readonly number[]>
  /** End offsets by partition. */
  ends(topic: string): Promise<readonly number[]>
  /**
   * Offset of the first record logged at or after a time (milliseconds since 1970), by partition; the end offset if
   * there is none.
   */
  since(topic: string, time: number): Promise<readonly number[]>
  /** Next offset that a group will read, by partition; `null` if it has never committed. */
  committed(group: string, topic: string): Promise<readonly (number | null)[]>
  /**
   * Deletes the committed offsets of a group. Throws while it has members; a dead member counts until its session times
   * out.
   */
  forget(group: string): Promise<void>
  /** The partition that a key determines in a topic with this many partitions. */
  partitionOf(key: string, partitions: number): number
  /** Which topic and leader a partition has now. */
  incarnation(topic: string, partition: number): Promise<Incarnation>
  /**
   * The offset at which a leader epoch of the partition ended; the current end for the current epoch. A reader that is
   * further in that epoch has read records that the log has lost (KIP-320).
   */
  epochEnd(topic: string, partition: number, epoch: number): Promise<number>
  /** The metadata of the newest commits, by partition. */
  notes(group: string, topic: string): Promise<readonly (string | null)[]>
  close(): Promise<void>
}

/**
 * The log as readers of the views use it: the committed offsets of a view (`viewGroup`) are those that every store that is
 * read has reached, and those of one of several stores are read by `viewGroupOf`.
 */
export type ViewedLog = Pick<Log, 'produce' | 'ends' | 'committed' | 'read' | 'partitionOf'>

/**
 * Encodes and decodes events. Throws if the registry is unavailable, so that the caller retries; an invalid value is a
 * result.
 */
export interface Codec {
  encode<Event>(topic: Topic<Event>, event: Event): Promise<Buffer>
  decode<Event>(topic: Topic<Event>, value: Buffer): Promise<Decoded<Event>>
}

export type Decoded<Event> =
  | { readonly kind: 'event'; readonly event: Event }
  /** `malformed_avro`, `unknown_schema` or `schema_mismatch`: constants, because they become metric labels. */
  | { readonly kind: 'malformed'; readonly reason: string; readonly cause?: unknown }
