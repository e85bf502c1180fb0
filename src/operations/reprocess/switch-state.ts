import { besideName } from '../../adapters/beside-log.ts'
import type { CausedBy } from '../../events/envelope.ts'
import type { OutRecord, Place, TransactionalWriter } from '../../ports/log.ts'
import { onlyMarkersLeft, positionOf, recordsBetween, type Offsets } from '../lag/positions.ts'
import { ChangelogDifference } from './changelog-difference.ts'
import { CORRECTED } from './corrections.ts'
import { withLease, type Lease } from './lease.ts'
import { stateMerge } from './merged-states.ts'
import { NewestResults } from './newest-results.ts'
import type { ReprocessTotals } from './report.ts'
import type { RunBesidePorts, RunningShadow } from './run-beside.ts'
import type { Reprocessed } from './stages.ts'

/** What to switch. */
export interface StateSwitch {
  readonly stage: Reprocessed
  readonly version: string
  readonly shadow: RunningShadow
}

/** One partition: the state entries that differ, and the newest results if the output is corrected. */
interface PartitionDifference {
  readonly entries: ChangelogDifference
  readonly results: NewestResults | null
}

const ATTEMPTS = 10
const POLL_MS = 50
/** The new version keeps up with the log, so it is at most a few records behind. */
const LONGEST_LAG_MS = 60_000

/**
 * Gives the running stage the state of the new version. While a lease keeps the stage from its partitions, the new
 * version reads up to where the stage stopped. Then the state entries that differ, the corrections of the newest
 * results and the new version's offsets are written in one transaction per partition. No input is decided twice.
 */
export async function switchState(what: StateSwitch, ports: RunBesidePorts): Promise<ReprocessTotals> {
  const { name, reads, output } = what.stage
  const partitions = (await ports.log.ends(output.name)).map((_, partition) => partition)
  const differences = partitions.map((partition) => differenceOf(what.stage, partition, ports))
  await readNew(differences)
  return withLease({ stage: name, reads, partitions }, ports, async (lease) => {
    const begun = ports.clock.now()
    const { writers, attempts, next } = await standing(what, { lease, partitions }, ports)
    try {
      await what.shadow.stop()
      await readNew(differences)
      const totals = { events: 0, entries: 0 }
      for (const [partition, difference] of differences.entries()) {
        await lease.renew()
        const places = placesOf(next, partition)
        const corrections = await correctionsOf(what, difference, places)
        const entries = await difference.entries.records()
        await writers[partition]?.write([...corrections, ...entries], { group: name, next: places })
        totals.events += corrections.length
        totals.entries += entries.length
      }
      return { ...totals, attempts, took_ms: ports.clock.now() - begun }
    } finally {
      await closeAll(writers)
    }
  })
}

function differenceOf(
  { name, changelog, output }: Reprocessed,
  partition: number,
  ports: RunBesidePorts,
): PartitionDifference {
  const corrected = CORRECTED.get(output.name)
  const topic = changelog ?? ''
  return {
    entries: new ChangelogDifference({ topic, partition, merge: stateMerge(topic, ports.codec) }, ports.log),
    results: corrected === undefined ? null : new NewestResults({ name, output, corrected }, partition, ports),
  }
}

async function readNew(differences: readonly PartitionDifference[]): Promise<void> {
  await Promise.all(
    differences.map(async ({ entries, results }) => {
      await entries.readNew()
      await results?.readNew()
    }),
  )
}

interface LeasedWork {
  readonly lease: Lease
  readonly partitions: readonly number[]
}

interface Standing {
  readonly writers: readonly TransactionalWriter[]
  readonly attempts: number
  /** Where the new version has read up to; the stage goes on from there. */
  readonly next: Offsets
}

/** Fences the stage and waits until the new version has read what the stage has. */
async function standing(what: StateSwitch, leased: LeasedWork, ports: RunBesidePorts): Promise<Standing> {
  for (let attempts = 1; ; attempts++) {
    await leased.lease.renew()
    const writers = await Promise.all(leased.partitions.map((p) => ports.log.writer(`${what.stage.name}-${p}`)))
    try {
      const next = await caughtUp(what, leased.lease, ports)
      // a stage that had looked for a lease just before it began may have fenced a writer since
      const unchanged = await committedBy(what.stage.name, what.stage.reads, ports)
      const confirmed = writers.map((writer, p) =>
        writer.write([], { group: what.stage.name, next: placesOf(unchanged, p) }),
      )
      await Promise.all(confirmed)
      return { writers, attempts, next }
    } catch (cause) {
      await closeAll(writers)
      if (attempts === ATTEMPTS || cause instanceof ShadowBehind) {
        throw new Error(`${what.stage.name} was not switched: nothing was written`, { cause })
      }
      await ports.clock.sleep(POLL_MS)
    }
  }
}

/** The new version does not reach the position of the running stage. */
class ShadowBehind extends Error {
  override readonly name = 'ShadowBehind'
}

async function caughtUp({ stage, shadow }: StateSwitch, lease: Lease, ports: RunBesidePorts): Promise<Offsets> {
  const { log, clock } = ports
  const ends = await committedBy(stage.name, stage.reads, ports)
  const begun = clock.now()
  for (;;) {
    await lease.renew()
    const next = await committedBy(besideName(stage.name), stage.reads, ports)
    if (recordsBetween(next, ends) === 0 || (await onlyMarkersLeft({ next, ends }, log))) return later(next, ends)
    if (shadow.signal.aborted || clock.now() - begun > LONGEST_LAG_MS) {
      throw new ShadowBehind('the new version has not read what the running one has')
    }
    await clock.sleep(POLL_MS)
  }
}

const committedBy = async (group: string, reads: readonly string[], { log }: RunBesidePorts): Promise<Offsets> =>
  (await positionOf(reads, group, log)).next

/** The later of two positions that differ by transaction markers only. */
const later = (one: Offsets, other: Offsets): Offsets =>
  Object.fromEntries(
    Object.entries(one).map(([topic, offsets]) => [
      topic,
      offsets.map((offset, partition) => Math.max(offset, other[topic]?.[partition] ?? 0)),
    ]),
  )

const placesOf = (offsets: Offsets, partition: number): readonly Place[] =>
  Object.entries(offsets).flatMap(([topic, all]) => {
    const offset = all[partition] ?? 0
    return offset > 0 ? [{ topic, partition, offset }] : []
  })

const correctionsOf = async (
  { stage, version }: StateSwitch,
  { results }: PartitionDifference,
  next: readonly Place[],
): Promise<readonly OutRecord[]> =>
  (await results?.corrections({ stage: stage.name, version }, lastRead(stage, next))) ?? []

/** The last record of the first input that was read. */
function lastRead({ reads: [first] }: Reprocessed, next: readonly Place[]): CausedBy | null {
  const place = next.find(({ topic }) => topic === first)
  return place === undefined ? null : { ...place, offset: place.offset - 1 }
}

async function closeAll(writers: readonly TransactionalWriter[]): Promise<void> {
  await Promise.all(writers.map((writer) => writer.close()))
}
