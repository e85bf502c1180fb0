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
  /** When it was read up to the end of the changelog, milliseconds since 1970; for an incomplete copy when that began. */
  readonly at: number
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

/** What a saved state includes: all records of a changelog before an offset. */
export interface SavedUpTo extends CheckpointOrigin {
  readonly offset: number
  /** `StateSnapshot.format`. */
  readonly format: string
}

export interface OpenedSnapshot {
  readonly savedUpTo: SavedUpTo
  readonly bytes: number
  /** The next section. */
  next(): Promise<ArrayBufferLike>
  close(): Promise<void>
}

/** States by name, on a local disk. Like a copy of a changelog a state only saves time. All methods throw `CheckpointFailed`. */
export interface Snapshots {
  /** Replaces the state of this name once all sections are on disk. Returns its size in bytes. */
  save(name: string, savedUpTo: SavedUpTo, sections: Iterable<Uint8Array>): Promise<number>
  /** `null` if there is none. It can be read while another process replaces it. */
  open(name: string): Promise<OpenedSnapshot | null>
  names(): Promise<readonly string[]>
  delete(name: string): Promise<void>
}

/** Copies of changelog partitions by name. */
export interface ChangelogCopies {
  open(name: string): Promise<ChangelogCopy>
  names(): Promise<readonly string[]>
  /** Deletes a copy, for example a damaged one. */
  delete(name: string): Promise<void>
}

/** Everything of stateful stages that is on a local disk. */
export interface Checkpoints extends ChangelogCopies {
  readonly snapshots: Snapshots
}

/** The disk or the file failed, not the log. */
export class CheckpointFailed extends Error {
  override readonly name = 'CheckpointFailed'
}
