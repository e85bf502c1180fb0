import type { Checkpoints } from '../ports/checkpoints.ts'
import { openCheckpoint, partitionIn, tailOf, type ChangelogPartition } from '../state/checkpoint.ts'
import type { Standbys } from '../ports/log.ts'
import type { MemoryStage } from './shapes.ts'
import type { RuntimePorts } from './running.ts'

type CheckpointedStage = Pick<MemoryStage<unknown, unknown, unknown, unknown>, 'name' | 'version'> & {
  readonly memory: { readonly changelog: { readonly name: string } }
}

export const changelogPartition = (
  { name, version, memory }: CheckpointedStage,
  partition: number,
): ChangelogPartition => ({ stage: name, version, topic: memory.changelog.name, partition })

/**
 * Extends the local copies of changelog partitions from the log, every few seconds: of the partitions that this process
 * owns, and of those for which it is the standby. A failure only costs time later, so it is logged and tried again.
 */
export class Checkpointing implements Standbys {
  readonly replicas: number
  private readonly stage: CheckpointedStage
  private readonly running: RuntimePorts
  private readonly stopping = new AbortController()
  /** The end of the changelog that was copied last, by partition. */
  private readonly copied = new Map<number, number>()
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
      if (found?.version === this.stage.version) this.copied.set(found.partition, 0)
      else if (found !== null) await checkpoints.delete(name).catch(() => undefined) // of a version before
    }
    this.loop = this.run(checkpoints)
  }

  copies(): readonly number[] {
    return [...this.copied.keys()]
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
        if (!this.isStopping()) await this.extend(partition, checkpoints)
      }
    }
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted
  }

  private async extend(partition: number, checkpoints: Checkpoints): Promise<void> {
    const { log, logger } = this.running
    const changelog = changelogPartition(this.stage, partition)
    try {
      if ((await log.ends(changelog.topic))[partition] === this.copied.get(partition)) return
      const opened = await openCheckpoint(changelog, { log, checkpoints })
      try {
        const tail = tailOf(changelog, opened, log)
        while ((await tail.next()).done !== true) if (this.isStopping()) return
        this.copied.set(partition, opened.copy.offset)
      } finally {
        await opened.copy.close()
      }
    } catch (err) {
      logger.warn({ stage: this.stage.name, partition, err }, 'the local copy of the changelog was not extended')
    }
  }
}
