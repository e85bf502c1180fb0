import { firstOf } from '../http/caught-up.ts'
import type { Dependencies, StageReader } from '../http/dependencies.ts'

export interface ConsumerLag {
  readonly name: string
  /** Consumer lag in records. */
  readonly waiting: number
}

type LagLog = Pick<Dependencies['log'], 'ends' | 'committed' | 'read'>

/**
 * The consumer lag of each reader. A small lag may consist of transaction markers only, which consumers never see or
 * commit. Only then is the log read to check whether there is a record.
 */
export async function consumerLags(log: LagLog, readers: readonly StageReader[]): Promise<readonly ConsumerLag[]> {
  const topics = [...new Set(readers.flatMap((reader) => reader.topics))]
  const ends = new Map(await Promise.all(topics.map(async (topic) => [topic, await log.ends(topic)] as const)))
  return Promise.all(
    readers.map(async ({ name, group, topics: read }) => {
      const waiting = await Promise.all(read.map((topic) => lagIn(log, { group, topic, ends: ends.get(topic) ?? [] })))
      return { name, waiting: sum(waiting) }
    }),
  )
}

async function lagIn(
  log: LagLog,
  { group, topic, ends }: { readonly group: string; readonly topic: string; readonly ends: readonly number[] },
): Promise<number> {
  const committed = await log.committed(group, topic)
  return sum(
    await Promise.all(
      ends.map(async (end, partition) => {
        const from = committed[partition] ?? 0
        const left = Math.max(0, end - from)
        const mayBeEmpty = left > 0 && left <= MAX_MARKERS
        return mayBeEmpty && (await firstOf(log.read(topic, partition, from))) === null ? 0 : left
      }),
    ),
  )
}

/** Number of markers that one or two transactions leave after the last record. */
const MAX_MARKERS = 4

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
