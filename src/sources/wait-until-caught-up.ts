import type { Log } from '../ports/log.ts'
import { retryWhileAway, type RetryPorts } from './publisher.ts'

export interface WaitUntilCaughtUpReader {
  readonly group: string
  readonly topic: string
  /** Written in transactions: the last offset is then a marker that no reader sees. */
  readonly transactional: boolean
}

const POLL_MS = 300
/** One behind for so long in a transactional topic: only the marker is left. */
const QUIET_MS = 3_000

/** Resolves when each reader has read what its topic holds now, one reader after the other; retries while the log is away. */
export async function waitUntilCaughtUp(
  readers: readonly WaitUntilCaughtUpReader[],
  ports: CatchUpPorts,
): Promise<void> {
  for (const reader of readers) await caughtUp(reader, ports)
}

export interface CatchUpPorts extends RetryPorts {
  readonly log: Pick<Log, 'ends' | 'committed'>
}

async function caughtUp(
  { group, topic, transactional }: WaitUntilCaughtUpReader,
  { log, clock, onAway }: CatchUpPorts,
): Promise<void> {
  let before = ''
  let movedAt = clock.now()
  const retrying: RetryPorts = {
    clock,
    onAway: (cause) => {
      before = '' // the reader may have been cut off as well: an outage is no quiet time
      onAway(cause)
    },
  }
  const ends = await retryWhileAway(retrying, () => log.ends(topic))
  for (;;) {
    const committed = await retryWhileAway(retrying, () => log.committed(group, topic))
    const lag = ends.map((end, partition) => Math.max(0, end - (committed[partition] ?? 0)))
    if (lag.join() !== before) movedAt = clock.now()
    before = lag.join()
    const onlyMarkers = transactional && clock.now() - movedAt > QUIET_MS
    if (lag.every((records) => records <= (onlyMarkers ? 1 : 0))) return
    await clock.sleep(POLL_MS)
  }
}
