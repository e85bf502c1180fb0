import { parseMoment } from '../../domain/intake/articles.ts'
import type { Log, Place } from '../../ports/log.ts'

/** Where a run begins: the same offset of every partition, or the first record that the log took at that time or later. */
export type BeginAt = { readonly offset: number } | { readonly time: number }

/** `1200`, or a time as ISO 8601. Throws a sentence. */
export function fromOf(text: string): BeginAt {
  if (/^\d+$/.test(text)) return { offset: Number(text) }
  const time = parseMoment(text)
  if (time === null) throw new Error(`--from ${text}: expected an offset (1200) or a time (2026-11-22T10:00:00Z)`)
  return { time }
}

/** The first offset to read, by partition. */
export async function placesFrom(
  log: Pick<Log, 'ends' | 'since'>,
  topic: string,
  from: BeginAt,
): Promise<readonly Place[]> {
  const ends = await log.ends(topic)
  const offsets = 'time' in from ? await log.since(topic, from.time) : ends.map((end) => Math.min(from.offset, end))
  return offsets.map((offset, partition) => ({ topic, partition, offset }))
}
