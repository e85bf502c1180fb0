import type { Log } from '../ports/log.ts'
import { rideOut, type Patience } from './ride-out.ts'

export interface Reader {
  readonly group: string
  readonly topic: string
  /** Written in transactions: the last offset is then a marker that no reader sees. */
  readonly transactional: boolean
}

const POLL_MS = 300
/** One behind for so long in a transactional topic: only the marker is left. */
const QUIET_MS = 3_000

/** Resolves when each reader has read what its topic holds now, one reader after the other; rides out a log that is away. */
export async function waitUntilCaughtUp(readers: readonly Reader[], ports: CatchUpPorts): Promise<void> {
  for (const reader of readers) await caughtUp(reader, ports)
}

export interface CatchUpPorts extends Patience {
  readonly log: Pick<Log, 'ends' | 'committed'>
}

async function caughtUp({ group, topic, transactional }: Reader, { log, ...patience }: CatchUpPorts): Promise<void> {
  const { clock } = patience
  const ends = await rideOut(patience, async () => await log.ends(topic))
  let before = ''
  let movedAt = clock.now()
  for (;;) {
    const committed = await rideOut(patience, async () => await log.committed(group, topic))
    const lag = ends.map((end, partition) => Math.max(0, end - (committed[partition] ?? 0)))
    const onlyMarkers = transactional && clock.now() - movedAt > QUIET_MS
    if (lag.every((records) => records <= (onlyMarkers ? 1 : 0))) return
    if (lag.join() !== before) movedAt = clock.now()
    before = lag.join()
    await clock.sleep(POLL_MS)
  }
}
