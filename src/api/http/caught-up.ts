import type { Clock } from '../../ports/clock.ts'
import type { Log, LogRecord } from '../../ports/log.ts'
import { EngineAway } from './engine-deadline.ts'

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
const PATIENCE_MS = 5_000

/**
 * Returns a function that waits until a view has read everything its topic held at the first call: data from before a
 * restart is only in its tables after that. Rejects with `EngineAway` if that takes too long; the next call continues
 * to wait. Later calls return immediately, because this instance remembers its own later writes.
 */
export function caughtUp({ group, topic }: TopicReader, { log, clock }: ReaderPorts): () => Promise<void> {
  /** The offsets that the view has not reached yet, by partition. */
  let behind: Map<number, number> | null = null
  let waiting: Promise<void> | null = null

  const look = async (): Promise<Map<number, number>> => {
    behind ??= new Map((await log.ends(topic)).entries())
    const committed = await log.committed(group, topic)
    for (const [partition, end] of behind) if ((committed[partition] ?? 0) >= end) behind.delete(partition)
    return new Map([...behind.keys()].map((partition) => [partition, committed[partition] ?? 0]))
  }

  const wait = async (): Promise<void> => {
    const until = clock.now() + PATIENCE_MS
    let left = await look()
    while (left.size > 0 && clock.now() < until) {
      await clock.sleep(POLL_MS)
      left = await look()
    }
    for (const [partition, from] of left) {
      if ((await firstOf(log.read(topic, partition, from))) === null) behind?.delete(partition)
    }
    if (behind?.size !== 0) throw new EngineAway(`${group} is behind in ${topic}`)
  }

  return async () => {
    if (behind?.size === 0) return
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
const HOLDS_MS = 1_000

/**
 * Returns a function for the time up to which all records have passed through a chain of readers, in milliseconds since
 * 1970. This is the current time unless a reader has lag. Concurrent callers share one query of the log.
 */
export function graphAsOf(readers: readonly TopicReader[], { log, clock }: ReaderPorts): () => Promise<number> {
  let looked = { at: -Infinity, upTo: Promise.resolve(0) }

  const look = async (now: number): Promise<number> =>
    Math.min(now, ...(await Promise.all(readers.map((reader) => firstUnread(reader, log)))))

  return async () => {
    const now = clock.now()
    if (now - looked.at >= HOLDS_MS) looked = { at: now, upTo: look(now) }
    return looked.upTo
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
