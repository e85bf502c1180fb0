import { storiesLinked } from '../../events/graph.ts'
import { articlesClustered } from '../../events/ledger.ts'
import type { Clock } from '../../ports/clock.ts'
import { viewGroup, type Log } from '../../ports/log.ts'

/** The stage that keeps the graph. */
const LINKED = 'linked'

/** A view that the graph is made of or shown by does not come up: trying again later helps. */
export class GraphBehind extends Error {
  override readonly name = 'GraphBehind'
}

interface PositionPorts {
  readonly log: Pick<Log, 'ends' | 'committed' | 'read'>
  readonly clock: Clock
}

const POLL_MS = 50
/** A view that has not read it by then has much to do, or does not run. */
const SOON_MS = 1_000
const POLL_LATER_MS = 500
/** Reading what is left opens a reader: at first that pays only where it may be nothing but markers. */
const LITTLE = 100
/** Longer than a running view takes for the last records. */
const PATIENCE_MS = 30_000

/**
 * The place in a partition of the ledger (offset, exclusive) up to which the stage has kept the graph, once the views show
 * the ledger and the graph up to there; `null` when the stage has never read it. Throws `GraphBehind`.
 */
export async function shownPosition(partition: number, ports: PositionPorts): Promise<number | null> {
  const { log } = ports
  const position = (await log.committed(LINKED, articlesClustered.name))[partition] ?? null
  if (position === null) return null

  // Asked for second: what the stage emitted for that place was in the log before it said that it was there.
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

/** Resolves once a view has read a partition up to an offset. */
async function read(reading: PartitionRead, { log, clock }: PositionPorts): Promise<void> {
  const begun = clock.now()
  for (;;) {
    const soon = clock.now() - begun < SOON_MS
    if (await isRead(reading, log, soon ? LITTLE : Infinity)) return
    if (clock.now() - begun >= PATIENCE_MS) throw new GraphBehind(`${reading.group} is behind in ${reading.topic}`)
    await clock.sleep(soon ? POLL_MS : POLL_LATER_MS)
  }
}

/** When at most `lookedAt` offsets are left, it reads what they are. */
async function isRead(
  { group, topic, partition, end }: PartitionRead,
  log: PositionPorts['log'],
  lookedAt: number,
): Promise<boolean> {
  const at = (await log.committed(group, topic))[partition] ?? 0
  if (at >= end) return true
  return end - at <= lookedAt && (await firstFrom(log, { topic, partition, offset: at })) >= end
}

/** What is left may be markers of transactions, which no reader sees. */
async function firstFrom(
  log: PositionPorts['log'],
  { topic, partition, offset }: { readonly topic: string; readonly partition: number; readonly offset: number },
): Promise<number> {
  for await (const [first] of log.read(topic, partition, offset)) if (first !== undefined) return first.offset
  return Infinity
}
