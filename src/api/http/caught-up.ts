import type { Clock } from '../../ports/clock.ts'
import type { Log, LogRecord } from '../../ports/log.ts'
import { EngineAway } from './engine-deadline.ts'

/** A consumer group that writes rows, and the topic it reads. */
interface TopicReader {
  readonly group: string
  readonly topic: string
}

interface ReaderPorts {
  readonly log: Pick<Log, 'ends' | 'committed' | 'read'>
  readonly clock: Clock
}

const POLL_MS = 100
/** Longer than a view that runs takes for what is left after a restart, shorter than a client waits. */
const PATIENCE_MS = 5_000

/**
 * Resolves once a view has read what its topic held when this instance first asked: what was answered before a restart
 * stands in its tables only then. Rejects with `Away` when that takes too long; the next call waits on. Afterwards it
 * costs nothing: what comes later this instance remembers itself.
 */
export function caughtUp({ group, topic }: TopicReader, { log, clock }: ReaderPorts): () => Promise<void> {
  /** By partition: the offset that the view has still to reach. */
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

/** The first record. `null` if only markers of transactions are left, which no reader sees or commits. */
export async function firstOf(records: ReturnType<Log['read']>): Promise<LogRecord | null> {
  for await (const [first] of records) if (first !== undefined) return first
  return null
}

/** How long an answer holds: asking the log again at each request would cost more than the request. */
const HOLDS_MS = 1_000

/**
 * Up to which moment all of what the log took has come through some readers, one after the other: now, unless one of them
 * is behind. Milliseconds since 1970. Concurrent callers share one look.
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

/** When the log took the first record that a reader has still to read; Infinity: there is none. */
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
