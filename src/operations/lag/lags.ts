/** A consumer group and the topics it reads. */
export interface LagReader {
  /** As in `story start`: `clustered`, `view:articles`. */
  readonly name: string
  readonly group: string
  readonly topics: readonly string[]
  /**
   * True for effects, which do not commit past a record that waits for its next attempt: lag is pending work, not a
   * sign of being stuck.
   */
  readonly commitsBehind: boolean
}

/** The position of a group in one partition at the time of a poll. */
export interface PartitionLag {
  readonly reader: string
  readonly topic: string
  readonly partition: number
  /** The committed offset; `null` if the group has never committed. */
  readonly committed: number | null
  readonly end: number
  /** As in `LagReader`. */
  readonly commitsBehind: boolean
  /** When the log received the oldest uncommitted record, milliseconds since 1970; `null` if there is none. */
  readonly oldest: number | null
}

/**
 * `never_read`: nothing has been committed. `standing_still`: there was lag at both polls and no progress between them.
 * `pending`: an effect has work to do, now or later.
 */
export type LagState = 'idle' | 'reading' | 'standing_still' | 'behind' | 'never_read' | 'pending'

export interface Lag extends Pick<PartitionLag, 'reader' | 'topic' | 'partition'> {
  /** Number of records. */
  readonly lag: number
  /** Seconds since the oldest uncommitted record was logged; `null` if there is none. */
  readonly waiting_seconds: number | null
  /** Records per second between two polls; `null` after a single poll. */
  readonly rate: number | null
  /** Seconds until the lag is zero, at that rate and without new records; `null` if unknown. */
  readonly seconds_left: number | null
  readonly state: LagState
}

/** Two polls of the same partitions; `before` may be empty. */
export interface LagPolls {
  readonly before: readonly PartitionLag[]
  readonly after: readonly PartitionLag[]
  /** Seconds between the two polls. */
  readonly apart: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The lag of each reader in each partition, and whether it makes progress. A reader without lag is idle, not stuck. */
export function lags({ before, after, apart, now }: LagPolls): readonly Lag[] {
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
  /** Whether there was lag at the first poll. */
  readonly hadLag: boolean
}

function stateOf({ committed, commitsBehind }: PartitionLag, { lag, rate, hadLag }: Movement): LagState {
  if (lag === 0) return 'idle'
  if (commitsBehind) return 'pending'
  if (committed === null) return 'never_read'
  if (rate !== null && rate > 0) return 'reading'
  return rate !== null && hadLag ? 'standing_still' : 'behind'
}
