import type { Log, OutRecord, Place } from '../../ports/log.ts'

/** Next offset to read, by topic and partition. */
export type Offsets = Readonly<Record<string, readonly number[]>>

/** How far a group has read some topics. */
export interface GroupPosition {
  /** Records behind it and altogether, of those that the log still has. Markers of transactions count among them. */
  readonly done: number
  readonly whole: number
  readonly next: Offsets
  readonly ends: Offsets
}

export type PositionReader = Pick<Log, 'starts' | 'ends' | 'committed'>

export async function positionOf(
  topics: readonly string[],
  group: string,
  log: PositionReader,
): Promise<GroupPosition> {
  const parts = await Promise.all(
    topics.map(async (topic) => {
      const [starts, committed] = [await log.starts(topic), await log.committed(group, topic)]
      const ends = await log.ends(topic) // last, so that nothing is behind it that was not there
      const next = starts.map((start, partition) => Math.max(start, committed[partition] ?? start))
      return { topic, starts, next, ends }
    }),
  )
  const offsets = (of: 'starts' | 'next' | 'ends'): Offsets =>
    Object.fromEntries(parts.map((part) => [part.topic, part[of]]))
  const [next, ends] = [offsets('next'), offsets('ends')]
  const whole = recordsBetween(offsets('starts'), ends)
  return { done: whole - recordsBetween(next, ends), whole, next, ends }
}

/** Records from one place in the log to another, over all topics of the second. */
export const recordsBetween = (from: Offsets, to: Offsets): number =>
  Object.entries(to)
    .flatMap(([topic, ends]) => ends.map((end, partition) => Math.max(0, end - (from[topic]?.[partition] ?? 0))))
    .reduce((sum, records) => sum + records, 0)

/** For one look at many views: each topic is asked once where it begins and ends. */
export function readOnce(log: PositionReader): PositionReader {
  const once = (ask: (topic: string) => Promise<readonly number[]>) => {
    const cache = new Map<string, Promise<readonly number[]>>()
    return async (topic: string): Promise<readonly number[]> => {
      const answer = cache.get(topic) ?? ask(topic)
      cache.set(topic, answer)
      return answer
    }
  }
  return {
    starts: once((topic) => log.starts(topic)),
    ends: once((topic) => log.ends(topic)),
    committed: (group, topic) => log.committed(group, topic),
  }
}

/** True: one has read at least as far as the other, everywhere. */
export const reaches = (one: Offsets, other: Offsets): boolean => recordsBetween(one, other) === 0

/** True: a reader sees no record between a position and the ends, only markers of transactions, which it never sees. */
export async function nothingBehind(
  { next, ends }: Pick<GroupPosition, 'next' | 'ends'>,
  log: Pick<Log, 'read'>,
): Promise<boolean> {
  for (const [topic, offsets] of Object.entries(ends)) {
    for (const [partition, end] of offsets.entries()) {
      const from = next[topic]?.[partition] ?? 0
      if (from < end && (await holdsRecord(log, { topic, partition, offset: from }, end))) return false
    }
  }
  return true
}

async function holdsRecord(log: Pick<Log, 'read'>, { topic, partition, offset }: Place, end: number): Promise<boolean> {
  for await (const [first] of log.read(topic, partition, offset)) {
    if (first !== undefined) return first.offset < end
  }
  return false
}

/** Writes records, and where a group goes on, in one transaction. A writer of the same id that is still open is fenced. */
export async function writeOnce(
  log: Pick<Log, 'writer'>,
  writerId: string,
  {
    records = [],
    ...read
  }: { readonly records?: readonly OutRecord[]; readonly group: string; readonly next: readonly Place[] },
): Promise<void> {
  const writer = await log.writer(writerId)
  try {
    await writer.write(records, read)
  } finally {
    await writer.close()
  }
}
