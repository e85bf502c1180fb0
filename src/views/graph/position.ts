import { storiesLinked } from '../../events/graph.ts'
import { articlesClustered } from '../../events/ledger.ts'
import type { Clock } from '../../ports/clock.ts'
import { viewGroup, type Log } from '../../ports/log.ts'

/** The stage that maintains the graph. */
const LINKED = 'linked'

/** A view that the graph is built from or shown by does not catch up. Retry later. */
export class GraphBehind extends Error {
  override readonly name = 'GraphBehind'
}

interface PositionPorts {
  readonly log: Pick<Log, 'ends' | 'committed' | 'read'>
  readonly clock: Clock
}

const POLL_MS = 50
/** A view that has not caught up by then has a large lag or is not running, so it is polled less often. */
const FAST_POLL_FOR_MS = 1_000
const SLOW_POLL_MS = 500
/**
 * Reading the remaining records opens a reader. At first that is done only for few offsets, which may all be
 * transaction markers.
 */
const FEW_OFFSETS = 100
/** Longer than a running view needs for the last records. */
const TIMEOUT_MS = 30_000

/**
 * The offset (exclusive) in a partition of the ledger up to which the stage has processed it. Resolves once the views
 * show the ledger and the graph up to there; `null` if the stage has never read the partition. Throws `GraphBehind`.
 */
export async function shownPosition(partition: number, ports: PositionPorts): Promise<number | null> {
  const { log } = ports
  const position = (await log.committed(LINKED, articlesClustered.name))[partition] ?? null
  if (position === null) return null

  // Read second: the stage's output is in the log before the offset that it commits for the input.
  const end = (await log.ends(storiesLinked.name))[partition] ?? 0
  await read({ group: viewGroup('clusters'), topic: articlesClustered.name, partition, end: position }, ports)
  await read({ group: viewGroup('graph'), topic: storiesLinked.name, partition, end }, ports)
  return position
}

interface PartitionRead {
  readonly group: string
  readonly topic: string
  readonly partition: number
  readonly end: number
}

/** Resolves once a view has read a partition up to an offset. Throws `GraphBehind` after `TIMEOUT_MS`. */
async function read(reading: PartitionRead, { log, clock }: PositionPorts): Promise<void> {
  const begun = clock.now()
  for (;;) {
    const soon = clock.now() - begun < FAST_POLL_FOR_MS
    if (await isRead(reading, log, soon ? FEW_OFFSETS : Infinity)) return
    if (clock.now() - begun >= TIMEOUT_MS) throw new GraphBehind(`${reading.group} is behind in ${reading.topic}`)
    await clock.sleep(soon ? POLL_MS : SLOW_POLL_MS)
  }
}

/** If at most `maxRemaining` offsets remain, reads them to see whether they hold records. */
async function isRead(
  { group, topic, partition, end }: PartitionRead,
  log: PositionPorts['log'],
  maxRemaining: number,
): Promise<boolean> {
  const at = (await log.committed(group, topic))[partition] ?? 0
  if (at >= end) return true
  return end - at <= maxRemaining && (await firstFrom(log, { topic, partition, offset: at })) >= end
}

/**
 * The offset of the first record; `Infinity` if there is none. Transaction markers occupy offsets but are not records.
 */
async function firstFrom(
  log: PositionPorts['log'],
  { topic, partition, offset }: { readonly topic: string; readonly partition: number; readonly offset: number },
): Promise<number> {
  for await (const [first] of log.read(topic, partition, offset)) if (first !== undefined) return first.offset
  return Infinity
}
