import type { Clock } from '../ports/clock.ts'
import type { Log, LogRecord, Place } from '../ports/log.ts'

/** A partition of a topic. */
export type TopicPartition = Omit<Place, 'offset'>

export const partitionName = ({ topic, partition }: TopicPartition): string => `${topic} ${partition}`

/** The state of a consumer. */
type PulseState =
  /** No batch in progress. */
  | 'idle'
  | 'working'
  /** A step is retried: a dependency is unavailable, and a restart would not help. */
  | 'retrying'
  /** A batch has made no progress for too long, and no step has failed. */
  | 'stuck'

/** A partition whose step is being retried. */
interface Retrying extends TopicPartition {
  readonly step: string
  readonly since: number
}

interface Liveness {
  readonly state: PulseState
  /** When this state began, milliseconds since 1970. */
  readonly since: number
  /** The step that is retried; `null` if none is. */
  readonly step: string | null
  /** The partitions that are retried, the longest first; the other partitions continue. */
  readonly retrying: readonly Retrying[]
}

interface BatchInProgress extends TopicPartition {
  last: number
  step: { readonly name: string; readonly since: number } | null
}

/** The liveness of one consumer, as its loop reports it. Times are milliseconds since 1970. */
export class Pulse {
  readonly group: string
  /** The assigned partitions; empty until they are known. */
  reads: readonly TopicPartition[] = []
  /** Whether the states of the partitions that this process has are restored. */
  isRestored: () => boolean = () => true
  private readonly inProgress = new Map<string, BatchInProgress>()
  private changed: number
  private restores = 0

  constructor(group: string, now: number) {
    this.group = group
    this.changed = now
  }

  /** A batch is in progress. There are several if one partition is being retried while others continue. */
  batchStarted({ topic, partition }: TopicPartition, now: number): void {
    if (this.inProgress.size === 0) this.changed = now
    this.inProgress.set(partitionName({ topic, partition }), { topic, partition, last: now, step: null })
  }

  /** A part of the batch is committed. */
  progressed(place: TopicPartition, now: number): void {
    const batch = this.inProgress.get(partitionName(place))
    if (batch !== undefined) Object.assign(batch, { last: now, step: null })
  }

  failed(place: TopicPartition, step: string, now: number): void {
    const batch = this.inProgress.get(partitionName(place))
    if (batch === undefined) return
    batch.last = now
    if (batch.step?.name !== step) batch.step = { name: step, since: now }
  }

  /** Restores the state of a partition. */
  async during<Result>(restore: () => Promise<Result>): Promise<Result> {
    this.restores += 1
    try {
      return await restore()
    } finally {
      this.restores -= 1
    }
  }

  /** Whether the state of a partition is not restored yet. */
  get restoring(): boolean {
    return this.restores > 0 || !this.isRestored()
  }

  /** The batch has ended, successfully or not. */
  batchEnded(place: TopicPartition, now: number): void {
    this.inProgress.delete(partitionName(place))
    if (this.inProgress.size === 0) this.changed = now
  }

  /** `silentMs`: must exceed the longest part and the longest wait between two attempts. */
  sign(now: number, silentMs: number): Liveness {
    const [quietest] = [...this.inProgress.values()].sort((a, b) => a.last - b.last)
    const retrying = this.retrying()
    if (quietest === undefined) return { state: 'idle', since: this.changed, step: null, retrying }
    if (now - quietest.last > silentMs) {
      return { state: 'stuck', since: quietest.last, step: quietest.step?.name ?? null, retrying }
    }
    const [longest] = retrying
    if (longest !== undefined) return { state: 'retrying', since: longest.since, step: longest.step, retrying }
    return { state: 'working', since: this.changed, step: null, retrying }
  }

  private retrying(): readonly Retrying[] {
    return [...this.inProgress.values()]
      .flatMap(({ topic, partition, step }) =>
        step === null ? [] : [{ topic, partition, step: step.name, since: step.since }],
      )
      .sort((a, b) => a.since - b.since)
  }
}

/** The health of one consumer of this process. */
export interface ConsumerHealth extends Liveness {
  readonly group: string
  /** The state of a partition is not restored yet, or no partitions are assigned yet, so the process is not ready. */
  readonly restoring: boolean
}

export interface Health {
  /** `stuck`: restarting this process may help. */
  readonly status: 'ok' | 'stuck'
  readonly consumers: readonly ConsumerHealth[]
}

/** Longer than any part, the longest back-off and the restart of a broker. */
export const SILENT_MS = 120_000

export interface Examined {
  readonly pulses: readonly Pulse[]
  readonly log: Pick<Log, 'committed' | 'starts' | 'ends' | 'read'>
  readonly clock: Clock
}

/**
 * Distinguishes an idle consumer from a stuck one. If a consumer has been idle for long, its partitions are checked in
 * the log for unread records. An unavailable dependency (the log, the store, a model) does not count as stuck.
 */
export async function health({ pulses, log, clock }: Examined): Promise<Health> {
  const now = clock.now()
  const consumers = await Promise.all(
    pulses.map(async (pulse): Promise<ConsumerHealth> => {
      const { group, restoring } = pulse
      const sign = pulse.sign(now, SILENT_MS)
      if (sign.state !== 'idle' || now - sign.since <= SILENT_MS) return { group, restoring, ...sign }
      const leavesUnread = await within(clock, hasUnread(pulse, now - SILENT_MS, log))
      return { group, restoring, ...sign, ...(leavesUnread ? { state: 'stuck' } : {}) }
    }),
  )
  return { status: consumers.some(({ state }) => state === 'stuck') ? 'stuck' : 'ok', consumers }
}

/** An unavailable log answers late. A probe must not hang. */
const PATIENCE_MS = 1_000

async function within(clock: Clock, answer: Promise<boolean>): Promise<boolean> {
  const answered = new AbortController()
  const late = clock.sleep(PATIENCE_MS, answered.signal).then(() => false)
  try {
    return await Promise.race([answer.catch(() => false), late])
  } finally {
    answered.abort()
  }
}

/**
 * Whether the log already held an unread record of the consumer's partitions at that time. Transaction markers do not
 * count.
 */
async function hasUnread({ group, reads }: Pulse, since: number, log: Examined['log']): Promise<boolean> {
  for (const [topic, partitions] of byTopic(reads)) {
    const [committed, starts] = await Promise.all([log.committed(group, topic), log.starts(topic)])
    const ends = await log.ends(topic)
    for (const partition of partitions) {
      const from = Math.max(at(committed, partition), at(starts, partition))
      const oldest = from < at(ends, partition) ? await firstOf(log.read(topic, partition, from)) : null
      if (oldest !== null && oldest.loggedAt <= since) return true
    }
  }
  return false
}

const at = (offsets: readonly (number | null)[], partition: number): number => offsets[partition] ?? 0

function byTopic(reads: Pulse['reads']): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const { topic, partition } of reads) found.set(topic, [...(found.get(topic) ?? []), partition])
  return found
}

async function firstOf(chunks: AsyncIterable<readonly LogRecord[]>): Promise<LogRecord | null> {
  for await (const [first] of chunks) if (first !== undefined) return first
  return null
}
