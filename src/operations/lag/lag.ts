import { pipeline } from '../../pipeline.ts'
import { viewGroup, type Log } from '../../ports/log.ts'
import { topicsOfView } from '../topology.ts'
import { lagOf, type LagReader, type PartitionLag } from './lags.ts'

/** Every consumer group of the pipeline. */
export function readers(): readonly LagReader[] {
  const stages = Object.entries(pipeline.stages).map(([name, { reads }]) => ({ name, group: name, topics: reads }))
  const views = pipeline.views.map((view) => {
    const group = viewGroup(view.name)
    return { name: group, group, topics: topicsOfView(view) }
  })
  const effects = Object.values(pipeline.effects).map(({ group, follows }) => ({
    name: group,
    group,
    topics: [follows],
  }))
  return [
    ...stages.map((one) => ({ ...one, commitsBehind: false })),
    ...effects.map((one) => ({ ...one, commitsBehind: true })),
    ...views.map((one) => ({ ...one, commitsBehind: false })),
  ]
}

/** Where each partition of some readers stands now. */
export async function look(log: Log, of: readonly LagReader[]): Promise<readonly PartitionLag[]> {
  const found = await Promise.all(
    of.flatMap(({ name, group, topics, commitsBehind }) =>
      topics.map(async (topic) => {
        const [committed, starts] = await Promise.all([log.committed(group, topic), log.starts(topic)])
        const ends = await log.ends(topic)
        return Promise.all(
          ends.map(async (end, partition): Promise<PartitionLag> => {
            const at = {
              reader: name,
              topic,
              partition,
              commitsBehind,
              ...behind(committed[partition], starts[partition], end),
            }
            const oldest = lagOf(at) === 0 ? null : await loggedAt(log, at)
            // what is left are marks of transactions, which no reader sees and nobody need commit
            return oldest === null ? { ...at, committed: end, oldest } : { ...at, oldest }
          }),
        )
      }),
    ),
  )
  return found.flat()
}

/** What the log has let go is not waiting any more. */
const behind = (committed: number | null | undefined, start = 0, end: number) => ({
  committed: start > (committed ?? 0) ? start : (committed ?? null),
  end,
})

/** When the log took the first record that is not read for good; null where only markers are left, or it was deleted. */
async function loggedAt(
  log: Log,
  { topic, partition, committed }: Omit<PartitionLag, 'oldest'>,
): Promise<number | null> {
  for await (const [first] of log.read(topic, partition, committed ?? 0)) return first?.loggedAt ?? null
  return null
}
