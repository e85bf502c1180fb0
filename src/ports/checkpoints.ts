import type { LogRecord } from './log.ts'

/** The newest record of a key in a changelog partition. */
export type CopiedEntry = Pick<LogRecord, 'key' | 'loggedAt'> & { readonly key: string; readonly value: Buffer }

/** What a checkpoint was copied from. */
export interface CheckpointOrigin {
  /** The id of the changelog topic. */
  readonly topicId: string
  /** The leader epoch of the partition at the last write. */
  readonly epoch: number
  /** The version of the stage that uses the copy. */
  readonly version: string
}

/** A run of changelog records, and the offset after it. */
export interface CopiedRun {
  readonly from: number
  readonly to: number
  readonly records: readonly LogRecord[]
}

/**
 * A copy of one changelog partition on local disk: the newest record of each key up to an offset. It only saves time: a
 * process that loses it reads the changelog instead. All methods throw `CheckpointFailed`.
 */
export interface ChangelogCopy {
  /** The offset up to which the changelog is copied; 0 for an empty copy. */
  readonly offset: number
  /** `null` for an empty copy. */
  readonly origin: CheckpointOrigin | null
  /** The newest record of a key; `null` if the copy has none. */
  get(key: string): CopiedEntry | null
  /** All entries, in pages ordered by key. */
  entries(): Iterable<readonly CopiedEntry[]>
  /**
   * Copies records and moves the offset, atomically. Returns `false` and copies nothing if the copy does not end at
   * `from`: another process on this disk has extended it.
   */
  append(run: CopiedRun, origin: CheckpointOrigin): Promise<boolean>
  /** Deletes all entries. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Checkpoints by name, on a local disk. */
export interface Checkpoints {
  open(name: string): Promise<ChangelogCopy>
  names(): Promise<readonly string[]>
  /** Deletes a checkpoint, for example a damaged one. */
  delete(name: string): Promise<void>
}

/** The disk or the file failed, not the log. */
export class CheckpointFailed extends Error {
  override readonly name = 'CheckpointFailed'
}
