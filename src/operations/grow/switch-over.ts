import pMap from 'p-map'
import { pipeline } from '../../pipeline.ts'
import type { Log, Place } from '../../ports/log.ts'
import { readers } from '../lag/lag.ts'
import { writeTransaction } from '../lag/positions.ts'
import { copyProgress, copyTopics, type GrowCopyPorts } from './copy.ts'
import { childrenOf, type GrownTopic } from './routes.ts'

export interface SwitchPorts extends GrowCopyPorts {
  readonly from: GrowCopyPorts['from'] & Pick<Log, 'committed'>
  readonly to: GrowCopyPorts['to'] & Pick<Log, 'writer'>
  /** The consumer groups whose positions are kept. */
  readonly groups: readonly GroupReads[]
  /** Those of the groups that have members. */
  readonly busy: (groups: readonly string[]) => Promise<readonly string[]>
  /** From here on, the broker rejects every record for the old topics. */
  readonly seal: () => Promise<void>
  /** Ends open transactions of the old topics. */
  readonly fence: () => Promise<void>
  /** Gives the new topics their own settings. From here on, a record's time is when the log receives it. */
  readonly open: () => Promise<void>
}

export interface GroupReads {
  readonly group: string
  readonly reads: readonly string[]
}

/** The consumer groups of the service, and what they read. Each store has groups of its own. */
export const ourGroups = (stores: Parameters<typeof readers>[0]): readonly GroupReads[] =>
  readers(stores).map(({ group, topics }) => ({ group, reads: topics }))

/** Throws if a process of the service is running. A killed one counts until its session times out. */
async function checkStopped({ busy, groups }: Pick<SwitchPorts, 'busy' | 'groups'>): Promise<void> {
  const running = await busy(groups.map(({ group }) => group))
  if (running.length === 0) return
  throw new Error(
    `consumers are still running: ${running.join(', ')}. Stop every process of the service, wait for a killed one's session to end, and run the command again`,
  )
}

/**
 * Completes the new generation. The order matters, and every step may be repeated: until the last one, the old
 * generation is complete and nothing reads the new one.
 */
export async function switchOver(ports: SwitchPorts, topics: readonly GrownTopic[]): Promise<void> {
  // 1. Nothing consumes.
  await checkStopped(ports)

  // 2. Nothing is written: the broker rejects it, and no transaction is open.
  await ports.seal()
  await ports.fence()

  // 3. Copy the rest.
  await copyTopics(ports, topics)
  await checkComplete(ports, topics)

  // 4. Every part of a partition has been read as far as the partition: offsets are the same.
  await checkStopped(ports)
  for (const group of ports.groups) await copyPositions(ports, topics, group)

  // 5. Open the new topics for writers.
  await ports.open()
}

const FENCED_AT_ONCE = 8

/** Ends the open transactions of killed stages, which would hide the records after them. */
export async function fenceStages(log: Pick<Log, 'writer'>, topics: readonly GrownTopic[]): Promise<void> {
  const writers = Object.entries(pipeline.stages).flatMap(([stage, { reads, state }]) => {
    const partitions = state.length === 0 ? 0 : (topics.find(({ topic }) => topic === reads[0])?.from ?? 0)
    return Array.from({ length: partitions }, (_, partition) => `${stage}-${partition}`)
  })
  await pMap(writers, async (id) => (await log.writer(id)).close(), { concurrency: FENCED_AT_ONCE })
}

async function checkComplete(ports: SwitchPorts, topics: readonly GrownTopic[]): Promise<void> {
  for (const { topic, left } of await copyProgress(ports, topics)) {
    if (left > 0) throw new Error(`${topic}: ${left} offsets arrived meanwhile. Run the command again`)
  }
  for (const grown of topics) {
    const [ends, copied] = [await ports.from.ends(grown.topic), await ports.to.ends(grown.topic)]
    const strange = copied.findIndex((end, partition) => end !== ends[partition % grown.from])
    if (strange >= 0) throw new Error(damaged(grown.topic, strange))
  }
}

const damaged = (topic: string, partition: number): string =>
  `something else has written to partition ${partition} of the new ${topic}. Delete the new topics with --abort and begin again`

async function copyPositions(
  { from, to }: SwitchPorts,
  topics: readonly GrownTopic[],
  { group, reads }: GroupReads,
): Promise<void> {
  const next: Place[] = []
  for (const grown of topics.filter(({ topic }) => reads.includes(topic))) {
    for (const [partition, offset] of (await from.committed(group, grown.topic)).entries()) {
      if (offset === null) continue
      next.push(...childrenOf(partition, grown).map((child) => ({ topic: grown.topic, partition: child, offset })))
    }
  }
  if (next.length > 0) await writeTransaction(to, 'topics-grow', { group, next })
}
