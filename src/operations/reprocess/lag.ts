import type { Log } from '../../ports/log.ts'

/** A reader of some topics. */
interface GroupTopics {
  readonly group: string
  readonly topics: readonly string[]
}

/** By topic and partition, the offset after the last record as it is now. */
export type Ends = ReadonlyMap<string, readonly number[]>

export async function endsOf(log: Pick<Log, 'ends'>, topics: readonly string[]): Promise<Ends> {
  return new Map(await Promise.all(topics.map(async (topic) => [topic, await log.ends(topic)] as const)))
}

/** By partition, what it reads next: what the log has let go it need not read. */
async function nextOf(
  log: Pick<Log, 'committed' | 'starts'>,
  group: string,
  topic: string,
): Promise<readonly number[]> {
  const [committed, starts] = [await log.committed(group, topic), await log.starts(topic)]
  return starts.map((start, partition) => Math.max(start, committed[partition] ?? 0))
}

/** Records between what a group has read for good and some ends; markers of transactions count among them. */
export async function lagOf(
  log: Pick<Log, 'committed' | 'starts'>,
  { group, topics }: GroupTopics,
  ends: Ends,
): Promise<number> {
  let lag = 0
  for (const topic of topics) {
    const next = await nextOf(log, group, topic)
    ;(ends.get(topic) ?? []).forEach((end, partition) => (lag += Math.max(0, end - (next[partition] ?? 0))))
  }
  return lag
}

/** Whether nothing but markers of transactions, which no reader ever sees, is left before the ends. */
export async function isRead(
  log: Pick<Log, 'committed' | 'starts' | 'read'>,
  { group, topics }: GroupTopics,
  ends: Ends,
): Promise<boolean> {
  for (const topic of topics) {
    const next = await nextOf(log, group, topic)
    for (const [partition, end] of (ends.get(topic) ?? []).entries()) {
      if (await holdsMore(log, { topic, partition, from: next[partition] ?? 0, end })) return false
    }
  }
  return true
}

interface Rest {
  readonly topic: string
  readonly partition: number
  readonly from: number
  readonly end: number
}

async function holdsMore(log: Pick<Log, 'read'>, { topic, partition, from, end }: Rest): Promise<boolean> {
  if (from >= end) return false
  for await (const [first] of log.read(topic, partition, from)) return first !== undefined && first.offset < end
  return false
}
