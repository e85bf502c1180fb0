import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { CaughtUpReader } from './caught-up.ts'

interface GraphAsOfPorts {
  readonly log: Pick<Log, 'ends' | 'committed' | 'read'>
  readonly clock: Clock
}

/** How long an answer holds: asking the log again at each request would cost more than the request. */
const HOLDS_MS = 1_000

/**
 * Up to which moment all of what the log took has come through some readers, one after the other: now, unless one of them
 * is behind. Milliseconds since 1970. Concurrent callers share one look.
 */
export function graphAsOf(readers: readonly CaughtUpReader[], { log, clock }: GraphAsOfPorts): () => Promise<number> {
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
async function firstUnread({ group, topic }: CaughtUpReader, log: GraphAsOfPorts['log']): Promise<number> {
  const [ends, committed] = await Promise.all([log.ends(topic), log.committed(group, topic)])
  const times = await Promise.all(
    ends.map(async (end, partition) => {
      const from = committed[partition] ?? 0
      return from >= end ? Infinity : firstFrom(log, { topic, partition, offset: from })
    }),
  )
  return Math.min(Infinity, ...times)
}

/** What is left may be markers of transactions, which no reader sees and none commits. */
async function firstFrom(
  log: GraphAsOfPorts['log'],
  { topic, partition, offset }: { readonly topic: string; readonly partition: number; readonly offset: number },
): Promise<number> {
  for await (const [first] of log.read(topic, partition, offset)) if (first !== undefined) return first.loggedAt - 1
  return Infinity
}
