import type { LogRecord, Headers } from './log.ts'

/** A record in an archive. Its topic and partition are those of the archive file. */
export type ArchivedRecord = Pick<LogRecord, 'offset' | 'key' | 'value'> & {
  /** Log append time, milliseconds since 1970. */
  readonly timestamp: number
  readonly headers: Headers
}

export interface ArchivedPartition {
  readonly topic: string
  readonly partition: number
}

/** One write of a restore. Writes are chosen so that every record keeps its offset. */
export type RestoredStretch =
  /** Records, one after another. */
  | { readonly kind: 'records'; readonly records: readonly ArchivedRecord[] }
  /** Records in a transaction. Its marker takes one more offset. */
  | { readonly kind: 'committed'; readonly records: readonly ArchivedRecord[] }
  /** Two or more offsets without a visible record: an aborted transaction with one record less, and its marker. */
  | { readonly kind: 'nothing'; readonly offsets: number; readonly timestamp: number }
  /** One offset at the beginning of a partition: a tombstone, because a transaction takes at least two offsets. */
  | { readonly kind: 'tombstone'; readonly timestamp: number }

/** Writes archived records at their original offsets. The topics must use the record's timestamp (`CreateTime`). */
export interface Restorer {
  put(partition: ArchivedPartition, stretch: RestoredStretch): Promise<void>
  close(): Promise<void>
}
