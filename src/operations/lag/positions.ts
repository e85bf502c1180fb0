import type { Log, OutRecord, Place } from '../../ports/log.ts'

/** Next offset to read, by topic and partition. */
export type Offsets = Readonly<Record<string, readonly number[]>>

/** The position of a group in some topics. */
export interface GroupPosition {
  /** Committed and total number of offsets, of those that the log still has. Includes transaction markers. */
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
  const topicPositions = await Promise.all(
    topics.map(async (topic) => {
      const [starts, committed] = [await log.starts(topic), await log.committed(group, topic)]
      const ends = await log.ends(topic) // read last, so that no committed offset is past its end
      const next = starts.map((start, partition) => Math.max(start, committed[partition] ?? start))
      return { topic, starts, next, ends }
    }),
  )
  const offsets = (of: 'starts' | 'next' | 'ends'): Offsets =>
    Object.fromEntries(topicPositions.map((position) => [position.topic, position[of]]))
  const [next, ends] = [offsets('next'), offsets('ends')]
  const whole = recordsBetween(offsets('starts'), ends)
  return { done: whole - recordsBetween(next, ends), whole, next, ends }
}

/** Number of offsets between two positions, over all topics of the second. */
export const recordsBetween = (from: Offsets, to: Offsets): number =>
  Object.entries(to)
    .flatMap(([topic, ends]) => ends.map((end, partition) => Math.max(0, end - (from[topic]?.[partition] ?? 0))))
    .reduce((sum, records) => sum + records, 0)

/** Caches the start and end offsets of each topic, for polling many views at once. */
export function cachedOffsets(log: PositionReader): PositionReader {
  const cached = (read: (topic: string) => Promise<readonly number[]>) => {
    const cache = new Map<string, Promise<readonly number[]>>()
    return async (topic: string): Promise<readonly number[]> => {
      const offsets = cache.get(topic) ?? read(topic)
      cache.set(topic, offsets)
      return offsets
    }
  }
  return {
    starts: cached((topic) => log.starts(topic)),
    ends: cached((topic) => log.ends(topic)),
    committed: (group, topic) => log.committed(group, topic),
  }
}

/** Whether the first position is at or past the second in every partition. */
export const reaches = (one: Offsets, other: Offsets): boolean => recordsBetween(one, other) === 0

/** Whether there are no records between a position and the ends, only transaction markers, which readers never see. */
export async function onlyMarkersLeft(
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

/** Writes records and the offsets of a group in one transaction. Fences an open writer with the same id. */
export async function writeTransaction(
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
