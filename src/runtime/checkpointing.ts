import type { Checkpoints } from '../ports/checkpoints.ts'
import { openCheckpoint, tailOf, type ChangelogPartition } from '../state/checkpoint.ts'
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
 * Extends the local copies of changelog partitions from the log, every few seconds. The copy of a partition that another
 * process owns is a standby: that process may end at any time, and this one then needs only the tail of the changelog.
 * A failure only costs time later, so it is logged and tried again.
 */
export class Checkpointing {
  private readonly stage: CheckpointedStage
  private readonly running: RuntimePorts
  private readonly stopping = new AbortController()
  private readonly copied = new Map<number, number>()
  private partitions: ReadonlySet<number> = new Set()
  private loop: Promise<void> | null = null

  constructor(stage: CheckpointedStage, running: RuntimePorts) {
    this.stage = stage
    this.running = running
  }

  /** Replaces the partitions that are copied. */
  follow(partitions: ReadonlySet<number>): void {
    this.partitions = partitions
    const { checkpoints } = this.running
    if (checkpoints !== null) this.loop ??= this.run(checkpoints)
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.loop
  }

  private async run(checkpoints: Checkpoints): Promise<void> {
    const { clock, limits } = this.running
    const { signal } = this.stopping
    while (!signal.aborted) {
      await clock.sleep(limits.checkpointMs, signal)
      for (const partition of this.partitions) if (!signal.aborted) await this.extend(partition, checkpoints)
    }
  }

  private async extend(partition: number, checkpoints: Checkpoints): Promise<void> {
    const { log, logger } = this.running
    const changelog = changelogPartition(this.stage, partition)
    try {
      if ((await log.ends(changelog.topic))[partition] === this.copied.get(partition)) return
      const opened = await openCheckpoint(changelog, { log, checkpoints })
      try {
        const { signal } = this.stopping
        for await (const _ of tailOf(changelog, opened, log)) if (signal.aborted) return
        this.copied.set(partition, opened.copy.offset)
      } finally {
        await opened.copy.close()
      }
    } catch (err) {
      logger.warn({ stage: this.stage.name, partition, err }, 'the local copy of the changelog was not extended')
    }
  }
}
