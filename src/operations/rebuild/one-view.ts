import { viewGroup } from '../../ports/log.ts'
import { StoreAway } from '../../ports/store.ts'
import { carryOver, sameColumns } from './carry.ts'
import { stillOurs } from './claim.ts'
import { compareTable, type ComparedTable } from './compare.ts'
import { putInPlace, tablesToExchange } from './exchange.ts'
import { REBUILT, type RebuiltTable } from './rebuilt-tables.ts'
import { keepState, type Exchanging } from './state.ts'
import { FLEETING } from '../../views/hash.ts'
import { livePosition, rebuildPosition, untilLevel } from './follow.ts'
import { forgottenOf } from './cleanups.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'
import { reread } from './reread.ts'
import { withRoom } from './at-once.ts'

/** A table of a view that was read again. */
export interface TableOutcome extends ComparedTable {
  /** False: its rows go by themselves after a while, so that a difference says nothing. */
  readonly counts: boolean
  /** Rows that the log no longer holds, taken over from the live table. */
  readonly carried: number
}

/** A difference may be a record in flight: what both should hold is compared again before it is reported. */
const LOOKS = 3
const LOOK_AGAIN_MS = 1_000

/** Takes over what the log no longer holds and compares the tables, each up to the place that both sides have read. */
export async function compared(rebuilt: Rebuilt, ports: RebuildParts): Promise<readonly TableOutcome[]> {
  const { log, clock } = ports.running
  ports.progress.print(`comparing ${rebuilt.name}`)
  const columns = await sameColumns(ports.live, ports.sides, namesOfTables(rebuilt))
  const { next: read } = await rebuildPosition(rebuilt, log)
  const outcomes: TableOutcome[] = []
  for (const { table, topic } of REBUILT[rebuilt.name]) {
    const forgotten = await forgottenOf(topic, { log, read })
    const of = { sides: ports.sides, table, columns }
    const carried = forgotten === null ? 0 : await carryOver(ports.live, of, forgotten)
    let found = await compareOnce(rebuilt, { table, topic }, ports)
    for (let look = 1; look < LOOKS && !found.same && !FLEETING.includes(table); look++) {
      await clock.sleep(LOOK_AGAIN_MS)
      found = await compareOnce(rebuilt, { table, topic }, ports)
    }
    outcomes.push({ ...found, counts: !FLEETING.includes(table), carried })
  }
  return outcomes
}

const namesOfTables = ({ name }: Rebuilt): readonly string[] => REBUILT[name].map(({ table }) => table)

/** Whole tables are read on both sides: several large ones at once may be too much for the server's memory or time. */
const room = withRoom((cause) => cause instanceof StoreAway)

async function compareOnce(
  rebuilt: Rebuilt,
  { table, topic }: RebuiltTable,
  ports: RebuildParts,
): Promise<ComparedTable> {
  const { log } = ports.running
  const shadow = (await rebuildPosition(rebuilt, log)).next[topic] ?? []
  const live = await log.committed(viewGroup(rebuilt.name), topic)
  // where the live group is not known to have read anything, its tables may hold all the same: they are of another time
  const upTo = shadow.map((offset, partition) => Math.min(offset, live[partition] ?? offset))
  return room(() => compareTable(ports.live, { sides: ports.sides, table, upTo }))
}

/** What is put in or taken back, and from where both sides have to be read again afterwards. */
export async function planExchange(rebuilt: Rebuilt, ports: RebuildParts, since: string): Promise<Exchanging> {
  const { log } = ports.running
  return {
    phase: 'exchanging',
    since,
    exchange: {
      tables: await tablesToExchange(ports.live, ports.sides, namesOfTables(rebuilt)),
      rebuiltUpTo: (await rebuildPosition(rebuilt, log)).next,
      replacedUpTo: (await livePosition(rebuilt, log)).next,
    },
  }
}

/** Puts the rebuilt tables in, at a moment at which they lack nothing. */
export async function exchange(rebuilt: Rebuilt, state: Exchanging, ports: RebuildParts): Promise<void> {
  await keepState(ports.shadow, rebuilt.name, state)
  await stillOurs(ports.shadow, rebuilt.name, ports.holder)
  await untilLevel(rebuilt, ports)
  await place(state, 'rebuilt', ports)
}

/**
 * Reads again what the live view may have written into the replaced tables while they were exchanged: everything the log
 * took up to now and the rebuilt ones may lack. Answers how many records that were.
 */
export async function catchUp(rebuilt: Rebuilt, state: Exchanging, ports: RebuildParts): Promise<number> {
  await place(state, 'rebuilt', ports) // all are, unless a crash came between
  const records = await reread(rebuilt, state.exchange.rebuiltUpTo, ports)
  await keepState(ports.shadow, rebuilt.name, { ...state, phase: 'exchanged' })
  return records
}

/** Takes the replaced tables back at once, then reads what was written since they were replaced. */
export async function takeBack(rebuilt: Rebuilt, state: Exchanging, ports: RebuildParts): Promise<number> {
  const returning = { ...state, phase: 'returning' as const }
  await keepState(ports.shadow, rebuilt.name, returning)
  await stillOurs(ports.shadow, rebuilt.name, ports.holder)
  await place(returning, 'replaced', ports)
  const records = await reread(rebuilt, state.exchange.replacedUpTo, ports)
  await keepState(ports.shadow, rebuilt.name, { ...state, phase: 'returned' })
  return records
}

const place = (
  { exchange: { tables } }: Exchanging,
  which: 'rebuilt' | 'replaced',
  ports: RebuildParts,
): Promise<void> =>
  putInPlace(
    ports.live,
    ports.sides,
    tables.map(({ table, [which]: target }) => ({ table, target })),
  )
