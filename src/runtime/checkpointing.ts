import { once } from 'node:events'
import type { Checkpoints } from '../ports/checkpoints.ts'
import {
  checkpointName,
  openCheckpoint,
  partitionIn,
  stillBegins,
  tailOf,
  type ChangelogPartition,
  type ChangelogPosition,
} from '../state/checkpoint.ts'
import { tablePartition } from '../state/disk-table.ts'
import type { Standbys } from '../ports/log.ts'
import { changelogPartition, type Restorable, type RestoredState, type Unsaved } from './restorable.ts'
import { Stopped } from './retry.ts'
import type { RuntimePorts } from './running.ts'
import { saveState } from './saved-states.ts'
import { WarmStates } from './warm-states.ts'

type CheckpointedStage<State = never, Remembered = never> = Restorable<State, Remembered> & {
  readonly table?: { readonly changelog: { readonly name: string } }
}

/** A state that cannot be restored, for example because the log is away, is tried again after this. */
const BACKOFF_MS = 60_000

/** A copy that needs no records is opened again after this, to note that it is complete (`CheckpointOrigin.at`). */
const IDLE_MS = 60 * 60 * 1000

/** A state is saved again once a twentieth of it has changed, so that each byte is written some twenty times. */
const SHARE = 1 / 20
/** At the end of the process. Less takes no longer to replay than to write all of the state. */
const LAST_SHARE = 1 / 200
/** A state that was saved before this is saved again: it could not be used after a day. */
const OLD_MS = 10 * 60 * 60 * 1000

/** Everything that is copied for a partition. */
const copiedPartitions = <State, Remembered>(
  stage: CheckpointedStage<State, Remembered>,
  partition: number,
): readonly ChangelogPartition[] => [
  ...(stage.memory.snapshot === undefined ? [changelogPartition(stage, partition)] : []),
  ...(stage.table === undefined
    ? []
    : [tablePartition({ stage: stage.name, changelog: stage.table.changelog }, partition)]),
]

/** The states of the partitions that this process owns. */
interface OwnedStates {
  /** Whether a state is in memory, or being restored because of a record. */
  has(partition: number): boolean
  discard(partition: number): Promise<void>
}

/**
 * Extends the local copies of changelog partitions from the log, every few seconds: of the partitions that this process
 * owns, and of those for which it is the standby. The states of a stage with `snapshot` are saved instead. The states of
 * the standby partitions are in memory, and so are those of owned partitions before their first record, which need not
 * wait for the restore. A failure only costs time later, so it is logged and tried again.
 */
export class Checkpointing<State, Remembered> implements Standbys {
  readonly replicas: number
  private readonly stage: CheckpointedStage<State, Remembered>
  private readonly warm: WarmStates<State, Remembered>
  private readonly running: RuntimePorts
  private readonly stopping = new AbortController()
  /** The partitions whose changelog has a copy, or whose state is saved. */
  private readonly copied = new Set<number>()
  /** Where the changelog ended when it was last copied, by the name of the copy. */
  private readonly ends = new Map<string, { readonly offset: number; readonly at: number }>()
  private owned: ReadonlySet<number> = new Set()
  private standbys: readonly number[] = []
  /** When the state of a partition may be restored again after a failure. */
  private readonly notBefore = new Map<number, number>()
  private readonly states: OwnedStates
  /** Owned partitions whose state is not restored, and of which no record was read yet. `null`: not assigned yet. */
  private unrestored: Set<number> | null = null
  /** Aborted when other partitions are assigned. */
  private assigned = new AbortController()
  private loop: Promise<unknown> = Promise.resolve()

  constructor(stage: CheckpointedStage<State, Remembered>, running: RuntimePorts, states: OwnedStates) {
    this.stage = stage
    this.states = states
    this.running = running
    this.warm = new WarmStates(stage, running)
    this.replicas = running.checkpoints === null ? 0 : running.limits.standbyReplicas
  }

  async start(): Promise<void> {
    const { checkpoints } = this.running
    if (checkpoints !== null) {
      const isSaved = this.stage.memory.snapshot !== undefined
      await this.find(checkpoints, !isSaved)
      await this.find(checkpoints.snapshots, isSaved)
    }
    this.loop = Promise.all([this.keepWarm(), ...(checkpoints === null ? [] : [this.copy(checkpoints)])])
  }

  /** Whether this process has its partitions, and the states of all, also of those for which it is the standby. */
  get isRestored(): boolean {
    return this.unrestored?.size === 0 && this.standbys.every((partition) => this.hasState(partition))
  }

  copies(): readonly number[] {
    return [...this.copied]
  }

  holds(): readonly number[] {
    return this.warm.partitions()
  }

  own(partitions: ReadonlySet<number>): void {
    this.owned = partitions
    this.unrestored = new Set([...partitions].filter((partition) => !this.hasState(partition)))
    this.assigned.abort()
  }

  onAssigned(partitions: readonly number[]): void {
    this.standbys = this.replicas === 0 ? [] : partitions
  }

  /** The state of a partition for which this process was the standby; `null` if there is none. */
  taken(partition: number, onWait: () => void): Promise<RestoredState<State> | null> {
    this.unrestored?.delete(partition)
    return this.warm.take(partition, onWait)
  }

  /** Takes a state back, or what was restored of it, if the partition could not be taken over. */
  giveBack(partition: number, state: RestoredState<State> | null): void {
    this.warm.set(partition, state)
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    this.assigned.abort()
    await this.loop
    for (const partition of this.warm.partitions()) await this.saveWarm(partition, true).catch(() => undefined)
  }

  /** Finds the copies, or saved states, of this version, if they are in use. Deletes the others. */
  private async find(files: Pick<Checkpoints, 'names' | 'delete'>, areUsed: boolean): Promise<void> {
    for (const name of await files.names().catch(() => [])) {
      const found = partitionIn(name, this.stage.name)
      if (areUsed && found?.version === this.stage.version) this.copied.add(found.partition)
      else if (found !== null) await files.delete(name).catch(() => undefined)
    }
  }

  /** Whether enough of a state has changed to save it. */
  isSaveDue({ saved, changed, since }: Unsaved, isLast: boolean): boolean {
    const { checkpoints, clock, limits } = this.running
    if (checkpoints === null || this.stage.memory.snapshot === undefined || changed === 0) return false
    if (saved > 0 && clock.now() - since > OLD_MS) return true
    return changed >= (isLast ? saved * LAST_SHARE : Math.max(limits.leastSavedBytes, saved * SHARE))
  }

  /**
   * The end of a changelog whose records were read up to an earlier position. `null` if the log is away. Throws if the log
   * has lost some of them, or if the topic was created again.
   */
  async endAfter(partition: number, read: ChangelogPosition): Promise<ChangelogPosition | null> {
    const { log, clock, logger } = this.running
    const changelog = changelogPartition(this.stage, partition)
    const at = clock.now()
    try {
      const now = await log.incarnation(changelog.topic, partition)
      const offset = (await log.ends(changelog.topic))[partition] ?? 0
      if (await stillBegins(changelog, { now, read }, log)) return { ...now, offset, at }
    } catch (err) {
      logger.warn({ stage: this.stage.name, partition, err }, 'the state was not saved')
      return null
    }
    throw new Error(`${changelog.topic} ${partition} has lost records`)
  }

  /** Saves the state of a partition that this process owns. Returns what is unsaved from then on. */
  async save(partition: number, known: RestoredState<State>, onChunk: () => void): Promise<Unsaved> {
    const unsaved = await saveState(this.stage, { ...known, partition }, { ...this.running, onChunk })
    if (unsaved.saved > 0) this.copied.add(partition)
    return unsaved
  }

  private async copy(checkpoints: Checkpoints): Promise<void> {
    const { clock, limits } = this.running
    while (!this.isStopping()) {
      await clock.sleep(limits.checkpointMs, this.stopping.signal)
      for (const partition of new Set([...this.owned, ...this.standbys])) {
        for (const changelog of copiedPartitions(this.stage, partition)) {
          if (!this.isStopping()) await this.extend(changelog, checkpoints)
        }
      }
    }
  }

  /** Beside `copy`, since restoring a large state takes minutes. */
  private async keepWarm(): Promise<void> {
    while (!this.isStopping()) {
      await this.moment()
      if (this.isStopping()) return
      this.assigned = new AbortController()
      this.warm.keep(new Set([...this.owned, ...this.standbys]))
      const standbys = this.standbys.filter((partition) => this.isStandby(partition))
      for (const partition of standbys) await this.states.discard(partition)
      for (const partition of [...(this.unrestored ?? []), ...standbys]) await this.warmUp(partition)
    }
  }

  /** Waits until partitions are assigned, or for a while if a state may have to be brought up to date. */
  private async moment(): Promise<void> {
    const { clock, limits } = this.running
    const { signal } = this.assigned
    if (this.replicas > 0 || (this.unrestored?.size ?? 0) > 0) await clock.sleep(limits.checkpointMs, signal)
    else if (!signal.aborted) await once(signal, 'abort')
  }

  /** Whether no record was read meanwhile that restored the state, and no other partitions were assigned. */
  private isAwaited(partition: number): boolean {
    return this.unrestored?.has(partition) === true || this.isStandby(partition)
  }

  private hasState(partition: number): boolean {
    return this.states.has(partition) || this.warm.isReady(partition)
  }

  private isStandby(partition: number): boolean {
    return this.standbys.includes(partition) && !this.owned.has(partition)
  }

  private async warmUp(partition: number): Promise<void> {
    const { clock, logger } = this.running
    if (clock.now() < (this.notBefore.get(partition) ?? 0)) return
    if (this.isStopping() || !this.isAwaited(partition)) return
    try {
      await this.warm.advance(
        partition,
        () => this.isStopping() || !(this.owned.has(partition) || this.isStandby(partition)),
      )
      this.unrestored?.delete(partition)
      await this.saveWarm(partition)
    } catch (err) {
      if (err instanceof Stopped) return
      this.notBefore.set(partition, clock.now() + BACKOFF_MS)
      logger.warn({ stage: this.stage.name, partition, err }, 'the state of a partition was not brought up to date')
    }
  }

  private async saveWarm(partition: number, isLast = false): Promise<void> {
    if (!this.isSaveDue(this.warm.unsaved(partition), isLast)) return
    await this.warm.save(partition)
    if (this.warm.unsaved(partition).saved > 0) this.copied.add(partition)
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted
  }

  private async extend(changelog: ChangelogPartition, checkpoints: Checkpoints): Promise<void> {
    const { log, clock, logger } = this.running
    const { topic, partition } = changelog
    const name = checkpointName(changelog)
    const at = clock.now()
    try {
      const known = this.ends.get(name)
      if (known !== undefined && (await log.ends(topic))[partition] === known.offset && at - known.at < IDLE_MS) return
      const opened = await openCheckpoint(changelog, { log, clock, checkpoints })
      try {
        const tail = tailOf(changelog, opened, log)
        while ((await tail.next()).done !== true) if (this.isStopping()) return
        this.ends.set(name, { offset: opened.copy.offset, at })
        if (topic === this.stage.memory.changelog.name) this.copied.add(partition)
      } finally {
        await opened.copy.close()
      }
    } catch (err) {
      logger.warn({ stage: this.stage.name, topic, partition, err }, 'the local copy of the changelog was not extended')
    }
  }
}
