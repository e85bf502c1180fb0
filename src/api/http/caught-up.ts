import type { Clock } from '../../ports/clock.ts'
import type { Log, LogRecord } from '../../ports/log.ts'
import { EngineUnavailable } from './engine-deadline.ts'

/** A consumer group that writes the rows of a view, and the topic it reads. */
interface TopicReader {
  readonly group: string
  readonly topic: string
}

interface ReaderPorts {
  readonly log: Pick<Log, 'ends' | 'committed' | 'read'>
  readonly clock: Clock
}

const POLL_MS = 100
/** Longer than a running view needs for its backlog after a restart, shorter than a client waits. */
const TIMEOUT_MS = 5_000

/**
 * Returns a function that waits until a view has read everything its topic held at the first call: data from before a
 * restart is only in its tables after that. Rejects with `EngineUnavailable` if that takes too long; the next call continues
 * to wait. Later calls return immediately, because this instance knows its own later writes.
 */
export function caughtUp({ group, topic }: TopicReader, { log, clock }: ReaderPorts): () => Promise<void> {
  /** The offsets that the view has not reached yet, by partition. */
  let missing: Map<number, number> | null = null
  let waiting: Promise<void> | null = null

  const remaining = async (): Promise<Map<number, number>> => {
    missing ??= new Map((await log.ends(topic)).entries())
    const committed = await log.committed(group, topic)
    for (const [partition, end] of missing) if ((committed[partition] ?? 0) >= end) missing.delete(partition)
    return new Map([...missing.keys()].map((partition) => [partition, committed[partition] ?? 0]))
  }

  const wait = async (): Promise<void> => {
    const until = clock.now() + TIMEOUT_MS
    let left = await remaining()
    while (left.size > 0 && clock.now() < until) {
      await clock.sleep(POLL_MS)
      left = await remaining()
    }
    for (const [partition, from] of left) {
      if ((await firstOf(log.read(topic, partition, from))) === null) missing?.delete(partition)
    }
    if (missing?.size !== 0) throw new EngineUnavailable(`${group} is behind in ${topic}`)
  }

  return async () => {
    if (missing?.size === 0) return
    waiting ??= wait().finally(() => (waiting = null))
    await waiting
  }
}

/** The first record; `null` if only transaction markers are left, which consumers never see or commit. */
export async function firstOf(records: ReturnType<Log['read']>): Promise<LogRecord | null> {
  for await (const [first] of records) if (first !== undefined) return first
  return null
}

/** How long a result is reused. Querying the log for every request would cost more than the request itself. */
const CACHE_MS = 1_000

/**
 * Returns a function for the time up to which all records have passed through a chain of readers, in milliseconds since
 * 1970. This is the current time unless a reader has lag. Concurrent callers share one query of the log.
 */
export function graphAsOf(readers: readonly TopicReader[], { log, clock }: ReaderPorts): () => Promise<number> {
  let last = { at: -Infinity, upTo: Promise.resolve(0) }

  const query = async (now: number): Promise<number> =>
    Math.min(now, ...(await Promise.all(readers.map((reader) => firstUnread(reader, log)))))

  return async () => {
    const now = clock.now()
    if (now - last.at >= CACHE_MS) last = { at: now, upTo: query(now) }
    return last.upTo
  }
}

/**
 * The log time just before the reader's first unread record, in milliseconds since 1970; Infinity if there is no such
 * record.
 */
async function firstUnread({ group, topic }: TopicReader, log: ReaderPorts['log']): Promise<number> {
  const [ends, committed] = await Promise.all([log.ends(topic), log.committed(group, topic)])
  const times = await Promise.all(
    ends.map(async (end, partition) => {
      const from = committed[partition] ?? 0
      const first = from >= end ? null : await firstOf(log.read(topic, partition, from))
      return first === null ? Infinity : first.loggedAt - 1
    }),
  )
  return Math.min(Infinity, ...times)
}
