/** A consumer group and what it reads. */
export interface LagReader {
  /** As in `story start`: `clustered`, `view:articles`. */
  readonly name: string
  readonly group: string
  readonly topics: readonly string[]
  /** It commits behind what still waits for its next attempt: how far behind says how much that is, not whether it moves. */
  readonly commitsBehind: boolean
}

/** Where one partition of one topic stands for one group, at one look. */
export interface PartitionLag {
  readonly reader: string
  readonly topic: string
  readonly partition: number
  /** Next offset it will read for good; null: it has never committed. */
  readonly committed: number | null
  readonly end: number
  /** As of its reader. */
  readonly commitsBehind: boolean
  /** Milliseconds since 1970: when the log took the oldest record it has not read for good; null: there is none. */
  readonly oldest: number | null
}

/**
 * `never_read`: it has not committed anything yet. `standing_still`: there was something to read, and none of it was read between
 * two looks. `pending`: an effect has something to do, now or later.
 */
export type LagState = 'idle' | 'reading' | 'standing_still' | 'behind' | 'never_read' | 'pending'

export interface Lag extends Pick<PartitionLag, 'reader' | 'topic' | 'partition'> {
  /** Records. */
  readonly lag: number
  /** Seconds that the oldest of them has been waiting; null: nothing waits. */
  readonly waiting_seconds: number | null
  /** Records a second between two looks; null: there was one only. */
  readonly rate: number | null
  /** Until nothing waits, at that rate and if nothing more came; null: nobody knows. */
  readonly seconds_left: number | null
  readonly state: LagState
}

/** Two looks at the same partitions; the first may be missing. */
export interface LagLooks {
  readonly before: readonly PartitionLag[]
  readonly after: readonly PartitionLag[]
  /** Seconds between the two. */
  readonly apart: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** How far each reader is behind in each partition, and whether it moves: one that has nothing to do is no stuck one. */
export function lags({ before, after, apart, now }: LagLooks): readonly Lag[] {
  const earlier = new Map(before.map((one) => [keyOf(one), one]))
  return after.map((one) => {
    const lag = lagOf(one)
    const first = earlier.get(keyOf(one))
    const rate = rateOf(first, one, apart)
    return {
      reader: one.reader,
      topic: one.topic,
      partition: one.partition,
      lag,
      waiting_seconds: one.oldest === null ? null : Math.max(0, (now - one.oldest) / 1000),
      rate,
      seconds_left: rate === null || rate === 0 ? null : lag / rate,
      state: stateOf(one, { lag, rate, hadLag: first !== undefined && lagOf(first) > 0 }),
    }
  })
}

export const lagOf = ({ committed, end }: Pick<PartitionLag, 'committed' | 'end'>): number =>
  Math.max(0, end - (committed ?? 0))

const keyOf = ({ reader, topic, partition }: PartitionLag): string => `${reader} ${topic} ${partition}`

const rateOf = (before: PartitionLag | undefined, after: PartitionLag, apart: number): number | null =>
  before === undefined || apart === 0 ? null : ((after.committed ?? 0) - (before.committed ?? 0)) / apart

interface Movement {
  readonly lag: number
  readonly rate: number | null
  /** At the first look too. */
  readonly hadLag: boolean
}

function stateOf({ committed, commitsBehind }: PartitionLag, { lag, rate, hadLag }: Movement): LagState {
  if (lag === 0) return 'idle'
  if (commitsBehind) return 'pending'
  if (committed === null) return 'never_read'
  if (rate !== null && rate > 0) return 'reading'
  return rate !== null && hadLag ? 'standing_still' : 'behind'
}
