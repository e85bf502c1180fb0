import { setImmediate } from 'node:timers/promises'
import { withBoundTimes } from '../events/topic.ts'
import { CheckpointFailed, type Checkpoints } from '../ports/checkpoints.ts'
import type { Codec, Incarnation, Log, LogRecord } from '../ports/log.ts'
import {
  checkpointName,
  entriesOf,
  openCheckpoint,
  recordsSince,
  stillBegins,
  tailOf,
  type ChangelogPartition,
} from '../state/checkpoint.ts'
import type { Entry } from '../state/entry.ts'
import type { Memory } from './shapes.ts'

/** What is restored: the state of a stage. */
export interface Restorable<State, Remembered> {
  readonly name: string
  readonly version: string
  readonly memory: Memory<State, Remembered>
}

/** The state of a partition that includes all records of its changelog before an offset. */
export interface RestoredState<State> extends Incarnation {
  readonly state: State
  readonly offset: number
}

export interface Restoring<State> {
  readonly log: Log
  readonly codec: Codec
  readonly checkpoints: Checkpoints | null
  /** A state to begin with, which is changed. It is ignored if the changelog is no longer the one that it was read from. */
  readonly known: RestoredState<State> | null
  /** Called after each chunk of the changelog; what it throws ends the restore. */
  readonly onChunk: () => void
}

export const changelogPartition = (
  { name, version, memory }: { name: string; version: string; memory: { changelog: { name: string } } },
  partition: number,
): ChangelogPartition => ({ stage: name, version, topic: memory.changelog.name, partition })

export type CopyPorts = Pick<Restoring<never>, 'log' | 'codec' | 'checkpoints'>

/** A copy that the disk does not give back is deleted, and the work is done without the disk. */
export async function withCopy<Ports extends CopyPorts, Result>(
  copied: ChangelogPartition,
  ports: Ports,
  work: (ports: Ports) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(ports)
  } catch (cause) {
    if (!(cause instanceof CheckpointFailed)) throw cause
    await ports.checkpoints?.delete(checkpointName(copied)).catch(() => undefined)
    return work({ ...ports, checkpoints: null })
  }
}

/** The state of a partition up to the current end of its changelog: the local copy, then what was written since. */
export const restoreState = <State, Remembered>(
  stage: Restorable<State, Remembered>,
  partition: number,
  ports: Restoring<State>,
): Promise<RestoredState<State>> =>
  withCopy(changelogPartition(stage, partition), ports, (given) => restoredFrom(stage, partition, given))

async function restoredFrom<State, Remembered>(
  stage: Restorable<State, Remembered>,
  partition: number,
  { log, codec, checkpoints, known, onChunk }: Restoring<State>,
): Promise<RestoredState<State>> {
  const changelog = changelogPartition(stage, partition)
  const now = await log.incarnation(changelog.topic, partition)
  let state = stage.memory.empty()
  const evolve = async (records: readonly StoredRecord[]): Promise<void> => {
    for (const record of records) state = stage.memory.evolve(state, await entryOf(stage.memory, record, codec))
    onChunk()
  }
  const buildIndexes = async (): Promise<void> => {
    const steps = stage.memory.buildIndexes?.(state)
    while (steps?.next().done === false) {
      await setImmediate()
      onChunk()
    }
  }
  const evolveAll = async (records: AsyncGenerator<readonly LogRecord[], number>): Promise<RestoredState<State>> => {
    for (;;) {
      const next = await records.next()
      if (next.done === true) {
        await buildIndexes()
        return { state, offset: next.value, ...now }
      }
      await evolve(next.value)
    }
  }
  if (known !== null && (await stillBegins(changelog, { now, read: known }, log))) {
    state = known.state
    return evolveAll(recordsSince(changelog, known.offset, log))
  }
  if (checkpoints === null) return evolveAll(recordsSince(changelog, 0, log))

  const opened = await openCheckpoint(changelog, { log, checkpoints })
  try {
    for await (const page of entriesOf(opened)) await evolve(page)
    return await evolveAll(tailOf(changelog, opened, log))
  } finally {
    await opened.copy.close()
  }
}

type StoredRecord = Pick<LogRecord, 'key' | 'value' | 'loggedAt'>

async function entryOf<State, Remembered>(
  { changelog }: Memory<State, Remembered>,
  { key, value, loggedAt }: StoredRecord,
  codec: Codec,
): Promise<Entry<Remembered>> {
  if (key === null) throw new Error(`${changelog.name} holds an entry without a key`)
  if (value === null) return { key, value: null }
  const decoded = await codec.decode(changelog, value)
  if (decoded.kind === 'event') return { key, value: withBoundTimes(changelog, decoded.event, loggedAt) }
  const { reason, cause } = decoded
  throw new Error(`${changelog.name} holds an entry that cannot be decoded, ${key}: ${reason}`, { cause })
}
