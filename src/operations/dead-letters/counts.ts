import type { DeadRecord } from './letters.ts'

/** Number of dead letters for one combination of topic, stage and reason. */
export interface DeadCount {
  readonly topic: string
  readonly stage: string
  readonly reason: string
  readonly letters: number
  /** Those that were retried or dropped. */
  readonly settled: number
}

/** Counts dead letters; the most frequent first. */
export async function countsOf(
  letters: AsyncIterable<DeadRecord> | Iterable<DeadRecord>,
): Promise<readonly DeadCount[]> {
  const counts = new Map<string, DeadCount>()
  for await (const { original, stage, reason, resolution } of letters) {
    const name = JSON.stringify([original.topic, stage, reason])
    const known = counts.get(name) ?? { topic: original.topic, stage, reason, letters: 0, settled: 0 }
    counts.set(name, {
      ...known,
      letters: known.letters + 1,
      settled: known.settled + (resolution === null ? 0 : 1),
    })
  }
  return [...counts.values()].sort((a, b) => b.letters - a.letters || (nameOf(a) < nameOf(b) ? -1 : 1))
}

const nameOf = ({ topic, stage, reason }: DeadCount): string => `${topic} ${stage} ${reason}`

export const lineOfCount = ({ topic, stage, reason, letters, settled }: DeadCount): string =>
  [
    String(letters).padStart(8),
    topic.padEnd(22),
    stage.padEnd(12),
    reason,
    ...(settled === 0 ? [] : [`(${settled} resolved)`]),
  ].join('  ')
