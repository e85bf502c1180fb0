import type { Clock } from '../ports/clock.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import type { Pulse, Sign } from './pulse.ts'

/** How one consumer of this process is. */
export interface ConsumerHealth extends Sign {
  readonly group: string
}

export interface Health {
  /** `stuck`: restarting this process may help. */
  readonly status: 'ok' | 'stuck'
  readonly consumers: readonly ConsumerHealth[]
}

/** Longer than any part takes, than the longest wait between two attempts, and than a broker takes to come back. */
export const SILENT_MS = 120_000

export interface Examined {
  readonly pulses: readonly Pulse[]
  readonly log: Pick<Log, 'committed' | 'starts' | 'ends' | 'read'>
  readonly clock: Clock
}

/**
 * Distinguishes an idle consumer from one that is stuck: one that has been idle for
 * long is asked about in the log, for the partitions that are its own. What is away (the log itself, the store, a model)
 * makes nobody stuck.
 */
export async function health({ pulses, log, clock }: Examined): Promise<Health> {
  const now = clock.now()
  const consumers = await Promise.all(
    pulses.map(async (pulse): Promise<ConsumerHealth> => {
      const { group } = pulse
      const sign = pulse.sign(now, SILENT_MS)
      if (sign.state !== 'idle' || now - sign.since <= SILENT_MS) return { group, ...sign }
      const passesOver = await within(clock, leavesWaiting(pulse, { log, since: now - SILENT_MS }))
      return { group, ...sign, ...(passesOver ? { state: 'stuck' } : {}) }
    }),
  )
  return { status: consumers.some(({ state }) => state === 'stuck') ? 'stuck' : 'ok', consumers }
}

/** A log that is away answers late: nobody can read it then, and a probe is not to hang. */
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

interface BacklogQuery {
  readonly log: Examined['log']
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Whether anything that is its to read has been in the log since then. Marks of transactions, which nobody sees, are nothing. */
async function leavesWaiting({ group, reads }: Pulse, { log, since }: BacklogQuery): Promise<boolean> {
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
