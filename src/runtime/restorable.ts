import type { Logger } from 'pino'
import type { Checkpoints } from '../ports/checkpoints.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'
import type { ChangelogPartition, ChangelogPosition } from '../state/checkpoint.ts'
import type { Memory } from './shapes.ts'

/** What is restored: the state of a stage. */
export interface Restorable<State, Remembered> {
  readonly name: string
  readonly version: string
  readonly memory: Memory<State, Remembered>
}

/** The state of a partition that includes all records of its changelog before an offset. */
export interface RestoredState<State> extends ChangelogPosition {
  readonly state: State
  readonly unsaved: Unsaved
}

/** How much of a state is not on local disk, in bytes. */
export interface Unsaved {
  /** Size of the state that was saved last; 0 if there is none. */
  readonly saved: number
  /** Size of the records of the changelog since then. */
  readonly changed: number
  /** When it was saved last, or was to be, milliseconds since 1970. */
  readonly since: number
}

export interface Restoring<State> {
  readonly log: Log
  readonly codec: Codec
  readonly clock: Pick<Clock, 'now'>
  readonly logger: Pick<Logger, 'warn'>
  readonly checkpoints: Checkpoints | null
  /** A state to begin with, which is changed. It is ignored if the changelog is no longer the one that it was read from. */
  readonly known: RestoredState<State> | null
  /** Called after each chunk of the changelog; what it throws ends the restore. */
  readonly onChunk: () => void
  /** Called with the state so far if a restore from the log ends early: another one can begin with it. */
  readonly onEndedEarly?: (reached: RestoredState<State>) => void
}

export const changelogPartition = (
  { name, version, memory }: { name: string; version: string; memory: { changelog: { name: string } } },
  partition: number,
): ChangelogPartition => ({ stage: name, version, topic: memory.changelog.name, partition })

export const NOTHING_SAVED: Unsaved = { saved: 0, changed: 0, since: 0 }

export const withChanges = (
  { saved, changed, since }: Unsaved,
  records: readonly { readonly value: Buffer | null }[],
): Unsaved => ({ saved, since, changed: records.reduce((sum, { value }) => sum + (value?.length ?? 0), changed) })
