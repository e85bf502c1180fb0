import type { Checkpoints } from '../ports/checkpoints.ts'
import { checkpointName, openCheckpoint, partitionIn, tailOf, type ChangelogPartition } from '../state/checkpoint.ts'
import { tablePartition } from '../state/disk-table.ts'
import type { Standbys } from '../ports/log.ts'
import { changelogPartition, type Restorable, type RestoredState } from './restored-state.ts'
import { Stopped } from './retry.ts'
import type { RuntimePorts } from './running.ts'
import { WarmStates } from './warm-states.ts'

type CheckpointedStage<State = never, Remembered = never> = Restorable<State, Remembered> & {
  readonly table?: { readonly changelog: { readonly name: string } }
}

/** Everything that is copied for a partition. */
const copiedPartitions = <State, Remembered>(
  stage: CheckpointedStage<State, Remembered>,
  partition: number,
): readonly ChangelogPartition[] => [
  changelogPartition(stage, partition),
  ...(stage.table === undefined
    ? []
    : [tablePartition({ stage: stage.name, changelog: stage.table.changelog }, partition)]),
]

/**
 * Extends the local copies of changelog partitions from the log, every few seconds: of the partitions that this process
 * owns, and of those for which it is the standby, whose states it also keeps in memory. A failure only costs time later,
 * so it is logged and tried again.
 */
export class Checkpointing<State, Remembered> implements Standbys {
  readonly replicas: number
  private readonly stage: CheckpointedStage<State, Remembered>
  private readonly warm: WarmStates<State, Remembered>
  private readonly running: RuntimePorts
  private readonly stopping = new AbortController()
  /** The partitions whose changelog has a copy. */
  private readonly copied = new Set<number>()
  /** The end of the changelog that was copied last, by the name of the copy. */
  private readonly ends = new Map<string, number>()
  private owned: ReadonlySet<number> = new Set()
  private standbys: readonly number[] = []
  private loop: Promise<void> = Promise.resolve()

  constructor(stage: CheckpointedStage<State, Remembered>, running: RuntimePorts) {
    this.stage = stage
    this.running = running
    this.warm = new WarmStates(stage, running)
    this.replicas = running.checkpoints === null ? 0 : running.limits.standbyReplicas
  }

  async start(): Promise<void> {
    const { checkpoints } = this.running
    if (checkpoints === null) return
    for (const name of await checkpoints.names().catch(() => [])) {
      const found = partitionIn(name, this.stage.name)
      if (found?.version === this.stage.version) this.copied.add(found.partition)
      else if (found !== null) await checkpoints.delete(name).catch(() => undefined) // of a version before
    }
    this.loop = this.run(checkpoints)
  }

  copies(): readonly number[] {
    return [...this.copied]
  }

  own(partitions: ReadonlySet<number>): void {
    this.owned = partitions
  }

  onAssigned(partitions: readonly number[]): void {
    this.standbys = partitions
  }

  /** The state of a partition for which this process was the standby; `null` if there is none. */
  taken(partition: number, onWait: () => void): Promise<RestoredState<State> | null> {
    return this.warm.take(partition, onWait)
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.loop
  }

  private async run(checkpoints: Checkpoints): Promise<void> {
    const { clock, limits } = this.running
    while (!this.isStopping()) {
      await clock.sleep(limits.checkpointMs, this.stopping.signal)
      const partitions = new Set([...this.owned, ...this.standbys])
      this.warm.keep(partitions)
      for (const partition of partitions) {
        for (const changelog of copiedPartitions(this.stage, partition)) {
          if (!this.isStopping()) await this.extend(changelog, checkpoints)
        }
        if (!this.isStopping() && (this.isStandby(partition) || this.warm.has(partition))) await this.warmUp(partition)
      }
    }
  }

  private isStandby(partition: number): boolean {
    return this.standbys.includes(partition)
  }

  private async warmUp(partition: number): Promise<void> {
    try {
      await this.warm.advance(partition, () => this.isStopping())
    } catch (err) {
      if (err instanceof Stopped) return
      const { logger } = this.running
      logger.warn({ stage: this.stage.name, partition, err }, 'the state of a standby partition was not restored')
    }
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted
  }

  private async extend(changelog: ChangelogPartition, checkpoints: Checkpoints): Promise<void> {
    const { log, logger } = this.running
    const { topic, partition } = changelog
    const name = checkpointName(changelog)
    try {
      if ((await log.ends(topic))[partition] === this.ends.get(name)) return
      const opened = await openCheckpoint(changelog, { log, checkpoints })
      try {
        const tail = tailOf(changelog, opened, log)
        while ((await tail.next()).done !== true) if (this.isStopping()) return
        this.ends.set(name, opened.copy.offset)
        if (topic === this.stage.memory.changelog.name) this.copied.add(partition)
      } finally {
        await opened.copy.close()
      }
    } catch (err) {
      logger.warn({ stage: this.stage.name, topic, partition, err }, 'the local copy of the changelog was not extended')
    }
  }
}
