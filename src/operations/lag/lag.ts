import type { StoreScope } from '../../domain/stores.ts'
import { pipeline } from '../../pipeline.ts'
import { viewGroup, type Log } from '../../ports/log.ts'
import { topicsOf } from '../../runtime/run-view.ts'
import { lagOf, type LagReader, type PartitionLag } from './lags.ts'

/** Every consumer group of the pipeline. Each store has groups of its own. */
export function readers(stores: readonly Pick<StoreScope, 'name'>[]): readonly LagReader[] {
  const reader = (group: string, topics: readonly string[], commitsBehind = false): LagReader => {
    return { name: group, group, topics, commitsBehind }
  }
  return [
    ...Object.entries(pipeline.stages).map(([name, { reads }]) => reader(name, reads)),
    ...Object.values(pipeline.effects).map(({ group, follows }) => reader(group, [follows], true)),
    ...stores.flatMap(({ name }) => pipeline.views.map((view) => reader(viewGroup(view.name, name), topicsOf(view)))),
  ]
}

/** The current lag of some readers, by partition. */
export async function readLag(log: Log, of: readonly LagReader[]): Promise<readonly PartitionLag[]> {
  const found = await Promise.all(
    of.flatMap(({ name, group, topics, commitsBehind }) =>
      topics.map(async (topic) => {
        const [committed, starts] = await Promise.all([log.committed(group, topic), log.starts(topic)])
        const ends = await log.ends(topic)
        return Promise.all(
          ends.map(async (end, partition): Promise<PartitionLag> => {
            const base = { reader: name, topic, partition, commitsBehind, end }
            const position = { ...base, committed: notDeleted(committed[partition], starts[partition]) }
            const oldest = lagOf(position) === 0 ? null : await loggedAt(log, position)
            // only transaction markers are left, which readers never see and need not commit
            return oldest === null ? { ...position, committed: end, oldest } : { ...position, oldest }
          }),
        )
      }),
    ),
  )
  return found.flat()
}

/** Records that the log has deleted do not count as lag. */
const notDeleted = (committed: number | null = null, start = 0): number | null =>
  start > (committed ?? 0) ? start : committed

/** When the log received the first uncommitted record; `null` if only markers are left or it was deleted. */
async function loggedAt(
  log: Log,
  { topic, partition, committed }: Omit<PartitionLag, 'oldest'>,
): Promise<number | null> {
  for await (const [first] of log.read(topic, partition, committed ?? 0)) return first?.loggedAt ?? null
  return null
}
