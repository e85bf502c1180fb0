import { type PlacedPartition, type ReplicaAdmin, replicaAdmin } from '../../adapters/kafka/replicas.ts'
import { projectPath } from '../../config/project-path.ts'
import { readTopicFiles, topicSpecs } from '../../config/topics.ts'
import { groupBy } from '../../domain/group-by.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { CommandOptions } from '../options.ts'
import { countedProgress } from '../progress.ts'
import { replicatedPartitions } from './plan.ts'

export interface ReplicateOptions extends CommandOptions {
  readonly replicas: string
}

/** `story topics replicate`. */
export async function replicateCommand(
  wiring: Wiring,
  others: readonly string[],
  options: ReplicateOptions,
): Promise<void> {
  const copies = Number(options.replicas)
  if (!Number.isInteger(copies) || copies < 1)
    throw new Error(`--replicas ${options.replicas}: expected a number from 1 on`)
  const { kafka, topics } = wiring.config
  const own = topicSpecs(readTopicFiles(projectPath('topics')), topics.partitions).map(({ name }) => name)
  const admin = await replicaAdmin(kafka)
  try {
    const placed = await admin.placed({ own, others })
    const planned = replicatedPartitions(placed, copies)
    if (!options.dryRun) {
      const progress = countedProgress(wiring, { whole: planned.length, of: 'partitions' })
      await replicate(planned, new Set(placed.partitions.map(({ topic }) => topic)), {
        ...{ admin, clock: wiring.clock },
        onDone: progress.done,
      })
      progress.end()
    }
    report(wiring, { planned, before: placed.partitions, options })
  } finally {
    await admin.close()
  }
}

export interface ReplicatePorts {
  readonly admin: Pick<ReplicaAdmin, 'move' | 'moving'>
  readonly clock: Pick<Clock, 'sleep'>
  /** Takes the number of partitions that were copied since its last call. */
  readonly onDone: (partitions: number) => void
}

const POLL_MS = 500

/**
 * Copies the partitions topic by topic, so that the network is not taken by all at once. Also waits for those of the
 * topics that an interrupted run has begun to copy.
 */
export async function replicate(
  planned: readonly PlacedPartition[],
  topics: ReadonlySet<string>,
  { admin, clock, onDone }: ReplicatePorts,
): Promise<void> {
  const untilCopied = async (some: readonly string[]): Promise<void> => {
    while ((await admin.moving(some)) > 0) await clock.sleep(POLL_MS)
  }
  await untilCopied([...topics])
  for (const [topic, partitions] of groupBy(planned, (one) => one.topic)) {
    await admin.move(topic, partitions)
    await untilCopied([topic])
    onDone(partitions.length)
  }
}

interface ReplicateReport {
  readonly planned: readonly PlacedPartition[]
  readonly before: readonly PlacedPartition[]
  readonly options: ReplicateOptions
}

function report({ out }: Wiring, { planned, before, options }: ReplicateReport): void {
  const replicasOf = ({ topic, partition }: PlacedPartition): readonly number[] =>
    before.find((one) => one.topic === topic && one.partition === partition)?.replicas ?? []
  const changes = planned.map((one) => ({ ...one, from: replicasOf(one) }))
  if (options.json) {
    out.json({ replicated: options.dryRun !== true, changes })
    return
  }
  if (options.dryRun) {
    for (const { topic, partition, from, replicas } of changes)
      out.line(`${topic} ${partition}: ${from.join(', ')} -> ${replicas.join(', ')}`)
  }
  out.line(
    changes.length === 0
      ? `All partitions have ${options.replicas} copies.`
      : `${changes.length} partition(s) ${options.dryRun ? 'to copy' : 'copied'}.`,
  )
}
