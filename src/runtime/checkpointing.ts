import type { Checkpoints } from '../ports/checkpoints.ts'
import { checkpointName, openCheckpoint, partitionIn, tailOf, type ChangelogPartition } from '../state/checkpoint.ts'
import { tablePartition } from '../state/disk-table.ts'
import type { Standbys } from '../ports/log.ts'
import type { MemoryStage } from './shapes.ts'
import type { RuntimePorts } from './running.ts'

type CheckpointedStage = Pick<MemoryStage<unknown, unknown, unknown, unknown>, 'name' | 'version'> & {
  readonly memory: { readonly changelog: { readonly name: string } }
  readonly table?: { readonly changelog: { readonly name: string } }
}

export const changelogPartition = (
  { name, version, memory }: CheckpointedStage,
  partition: number,
): ChangelogPartition => ({ stage: name, version, topic: memory.changelog.name, partition })

/** Everything that is copied for a partition. */
const copiedPartitions = (stage: CheckpointedStage, partition: number): readonly ChangelogPartition[] => [
  changelogPartition(stage, partition),
  ...(stage.table === undefined
    ? []
    : [tablePartition({ stage: stage.name, changelog: stage.table.changelog }, partition)]),
]

/**
 * Extends the local copies of changelog partitions from the log, every few seconds: of the partitions that this process
 * owns, and of those for which it is the standby. A failure only costs time later, so it is logged and tried again.
 */
export class Checkpointing implements Standbys {
  readonly replicas: number
  private readonly stage: CheckpointedStage
  private readonly running: RuntimePorts
  private readonly stopping = new AbortController()
  /** The partitions whose changelog has a copy. */
  private readonly copied = new Set<number>()
  /** The end of the changelog that was copied last, by the name of the copy. */
  private readonly ends = new Map<string, number>()
  private owned: ReadonlySet<number> = new Set()
  private standbys: readonly number[] = []
  private loop: Promise<void> = Promise.resolve()

  constructor(stage: CheckpointedStage, running: RuntimePorts) {
    this.stage = stage
    this.running = running
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

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.loop
  }

  private async run(checkpoints: Checkpoints): Promise<void> {
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
