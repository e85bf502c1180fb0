import type { Log } from '../../ports/log.ts'
import { topicsOf } from '../../runtime/run-view.ts'
import type { View } from '../../runtime/shapes.ts'
import type { Offsets } from './state.ts'

/** How far a group has read what a view is made of. */
export interface RebuildPosition {
  /** Records behind it and altogether, of those that the log still has. */
  readonly done: number
  readonly whole: number
  readonly next: Offsets
  readonly ends: Offsets
}

type PositionReader = Pick<Log, 'starts' | 'ends' | 'committed'>

export async function positionOf(view: View, group: string, log: PositionReader): Promise<RebuildPosition> {
  const parts = await Promise.all(
    topicsOf(view).map(async (topic) => {
      const [starts, committed] = [await log.starts(topic), await log.committed(group, topic)]
      const ends = await log.ends(topic) // last, so that nothing is behind it that was not there
      const next = starts.map((start, partition) => Math.max(start, committed[partition] ?? start))
      return { topic, starts, next, ends }
    }),
  )
  const sum = (of: (part: (typeof parts)[number], partition: number) => number): number =>
    parts.reduce((total, part) => total + part.starts.reduce((all, _, partition) => all + of(part, partition), 0), 0)
  const offsets = (of: (part: (typeof parts)[number]) => readonly number[]): Offsets =>
    Object.fromEntries(parts.map((part) => [part.topic, of(part)]))
  return {
    done: sum(({ starts, next, ends }, p) => Math.min(next[p] ?? 0, ends[p] ?? 0) - (starts[p] ?? 0)),
    whole: sum(({ starts, ends }, p) => (ends[p] ?? 0) - (starts[p] ?? 0)),
    next: offsets(({ next }) => next),
    ends: offsets(({ ends }) => ends),
  }
}

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
export const reaches = (one: Offsets, other: Offsets): boolean =>
  Object.entries(other).every(([topic, offsets]) =>
    offsets.every((offset, partition) => (one[topic]?.[partition] ?? 0) >= offset),
  )

/** True: of what is behind a position there is nothing that a reader sees, only the marks of transactions. */
export async function nothingBehind({ next, ends }: RebuildPosition, log: Pick<Log, 'read'>): Promise<boolean> {
  for (const [topic, offsets] of Object.entries(ends)) {
    for (const [partition, end] of offsets.entries()) {
      const from = next[topic]?.[partition] ?? 0
      if (from >= end) continue
      for await (const records of log.read(topic, partition, from)) {
        if (records.length > 0) return false
      }
    }
  }
  return true
}
