import type { LogRecord, Headers } from './log.ts'

/** A record of the log as an archive keeps it; topic and partition are the file's. */
export type ArchivedRecord = Pick<LogRecord, 'offset' | 'key' | 'value'> & {
  /** When the log took it, milliseconds since 1970. */
  readonly timestamp: number
  readonly headers: Headers
}

export interface ArchivedPartition {
  readonly topic: string
  readonly partition: number
}

/** One write of a restore, chosen so that every record keeps its offset. */
export type RestoredStretch =
  /** Records one after the other. */
  | { readonly kind: 'records'; readonly records: readonly ArchivedRecord[] }
  /** Records in a transaction: its marker takes one more offset. */
  | { readonly kind: 'committed'; readonly records: readonly ArchivedRecord[] }
  /** Two or more offsets without a visible record: an aborted transaction of one record less, and its marker. */
  | { readonly kind: 'nothing'; readonly offsets: number; readonly timestamp: number }
  /** One offset at the beginning of a partition: a tombstone, because a transaction takes at least two. */
  | { readonly kind: 'tombstone'; readonly timestamp: number }

/** Writes records of an archive at their original offsets. The topics must take the time of the record (`CreateTime`). */
export interface Restorer {
  put(partition: ArchivedPartition, stretch: RestoredStretch): Promise<void>
  close(): Promise<void>
}
