import { setImmediate } from 'node:timers/promises'
import { withBoundTimes } from '../events/topic.ts'
import { CheckpointFailed } from '../ports/checkpoints.ts'
import type { Codec, Incarnation, LogRecord } from '../ports/log.ts'
import {
  canGoOn,
  checkpointName,
  entriesOf,
  openCheckpoint,
  recordsSince,
  tailOf,
  type ChangelogPartition,
  type ChangelogPosition,
} from '../state/checkpoint.ts'
import type { Entry } from '../state/entry.ts'
import {
  changelogPartition,
  NOTHING_SAVED,
  withChanges,
  type Restorable,
  type RestoredState,
  type Restoring,
  type Unsaved,
} from './restorable.ts'
import { savedState } from './saved-states.ts'
import type { Memory } from './shapes.ts'

export type CopyPorts = Pick<Restoring<never>, 'log' | 'codec' | 'clock' | 'logger' | 'checkpoints'>

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
  { known, ...ports }: Restoring<State>,
): Promise<RestoredState<State>> {
  const { log, clock, checkpoints } = ports
  const changelog = changelogPartition(stage, partition)
  const now = await log.incarnation(changelog.topic, partition)
  const isKnown = known !== null && (await canGoOn(changelog, { now, read: known }, ports))
  const begin = isKnown ? known : await savedState(stage, partition, ports)
  const at = clock.now()
  const replay = new Replay(stage.memory, ports, begin)
  if (begin !== null || checkpoints === null || stage.memory.snapshot !== undefined) {
    return replayLog(replay, recordsSince(changelog, replay.offset, log), { ...ports, position: { at, ...now } })
  }
  const opened = await openCheckpoint(changelog, { log, clock, checkpoints })
  try {
    for await (const page of entriesOf(opened)) await replay.add(page)
    return { ...(await replay.finish(tailOf(changelog, opened, log))), at, ...now }
  } finally {
    await opened.copy.close()
  }
}

interface LogReplay<State> extends Pick<Restoring<State>, 'onEndedEarly'> {
  readonly position: Omit<ChangelogPosition, 'offset'>
}

async function replayLog<State, Remembered>(
  replay: Replay<State, Remembered>,
  records: AsyncGenerator<readonly LogRecord[], number>,
  { position, onEndedEarly }: LogReplay<State>,
): Promise<RestoredState<State>> {
  try {
    return { ...(await replay.finish(records)), ...position }
  } catch (cause) {
    if (replay.isWhole) onEndedEarly?.({ ...replay.reached(), ...position })
    throw cause
  }
}

/** Applies the records of a changelog to a state. */
class Replay<State, Remembered> {
  private readonly memory: Memory<State, Remembered>
  private readonly ports: Pick<Restoring<State>, 'codec' | 'onChunk'>
  private state: State
  private unsaved: Unsaved
  /** All records of the changelog before it are applied, unless a local copy is. */
  offset: number
  /** False while records are applied, and after one that could not be. */
  isWhole = true

  constructor(
    memory: Memory<State, Remembered>,
    ports: Pick<Restoring<State>, 'codec' | 'onChunk'>,
    begin: RestoredState<State> | null,
  ) {
    this.memory = memory
    this.ports = ports
    this.state = begin === null ? memory.empty() : begin.state
    this.unsaved = begin?.unsaved ?? NOTHING_SAVED
    this.offset = begin?.offset ?? 0
  }

  /** Applies records of a local copy. */
  async add(records: readonly StoredRecord[]): Promise<void> {
    await this.apply(records)
    this.ports.onChunk()
  }

  private async apply(records: readonly StoredRecord[]): Promise<void> {
    this.isWhole = false
    for (const record of records) {
      this.state = this.memory.evolve(this.state, await entryOf(this.memory, record, this.ports.codec))
    }
    this.unsaved = withChanges(this.unsaved, records)
    this.isWhole = true
  }

  /** Applies the rest. The generator returns the offset after it. */
  async finish(
    records: AsyncGenerator<readonly LogRecord[], number>,
  ): Promise<Omit<RestoredState<State>, 'at' | keyof Incarnation>> {
    for (;;) {
      const next = await records.next()
      if (next.done === true) {
        this.offset = next.value
        await this.buildIndexes()
        return this.reached()
      }
      await this.apply(next.value)
      this.offset = (next.value.at(-1)?.offset ?? this.offset - 1) + 1
      this.ports.onChunk()
    }
  }

  reached() {
    return { state: this.state, offset: this.offset, unsaved: this.unsaved }
  }

  private async buildIndexes(): Promise<void> {
    const steps = this.memory.buildIndexes?.(this.state)
    while (steps?.next().done === false) {
      await setImmediate()
      this.ports.onChunk()
    }
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
