import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { EngineAway } from './engine-deadline.ts'

/** Who writes the rows, and what it reads. */
export interface CaughtUpReader {
  readonly group: string
  readonly topic: string
}

export interface CaughtUpPorts {
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
export function caughtUp({ group, topic }: CaughtUpReader, { log, clock }: CaughtUpPorts): () => Promise<void> {
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
    for (const [partition, from] of left) if (await isEmpty(log.read(topic, partition, from))) behind?.delete(partition)
    if (behind?.size !== 0) throw new EngineAway(`${group} is behind in ${topic}`)
  }

  return async () => {
    if (behind?.size === 0) return
    waiting ??= wait().finally(() => (waiting = null))
    await waiting
  }
}

/** What is left may be markers of transactions, which no reader sees and none commits. */
async function isEmpty(records: ReturnType<Log['read']>): Promise<boolean> {
  for await (const _ of records) return false
  return true
}
