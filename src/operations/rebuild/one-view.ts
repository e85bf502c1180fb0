import { viewGroup } from '../../ports/log.ts'
import { StoreUnavailable } from '../../ports/store.ts'
import { carryOver, writableColumns } from './carry.ts'
import { checkClaim } from './claim.ts'
import { compareTable, type ComparedTable } from './compare.ts'
import { putInPlace, tablesToExchange } from './exchange.ts'
import { REBUILT, type RebuiltTable } from './rebuilt-tables.ts'
import { keepState, type Exchanging } from './state.ts'
import { NOT_HASHED } from '../../views/hash.ts'
import { livePosition, rebuildPosition, untilLevel } from './follow.ts'
import { removedRecordsOf } from './cleanups.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'
import { reread } from './reread.ts'
import { withRetryAlone } from './at-once.ts'

/** The result for one table of a rebuilt view. */
export interface TableOutcome extends ComparedTable {
  /** False if its rows expire after a while, so that differences are expected. */
  readonly counts: boolean
  /** Number of rows copied from the live table because the log no longer has their records. */
  readonly carried: number
}

/** A difference may be a record in flight, so the tables are compared again before it is reported. */
const MAX_COMPARISONS = 3
const COMPARE_AGAIN_MS = 1_000

/** Copies rows that the log no longer has, then compares each table up to the position that both sides have read. */
export async function compareView(rebuilt: Rebuilt, ports: RebuildParts): Promise<readonly TableOutcome[]> {
  const { log, clock } = ports.running
  ports.progress.print(`comparing ${rebuilt.name}`)
  const columns = await writableColumns(ports.live, ports.sides, namesOfTables(rebuilt))
  const { next: read } = await rebuildPosition(rebuilt, log)
  const outcomes: TableOutcome[] = []
  for (const { table, topic } of REBUILT[rebuilt.name]) {
    const removed = await removedRecordsOf(topic, { log, read })
    const of = { sides: ports.sides, table, columns }
    const carried = removed === null ? 0 : await carryOver(ports.live, of, removed)
    let found = await compareOnce(rebuilt, { table, topic }, ports)
    for (let compared = 1; compared < MAX_COMPARISONS && !found.same && !NOT_HASHED.includes(table); compared++) {
      await clock.sleep(COMPARE_AGAIN_MS)
      found = await compareOnce(rebuilt, { table, topic }, ports)
    }
    outcomes.push({ ...found, counts: !NOT_HASHED.includes(table), carried })
  }
  return outcomes
}

const namesOfTables = ({ name }: Rebuilt): readonly string[] => REBUILT[name].map(({ table }) => table)

/**
 * Each comparison reads whole tables on both sides; several large ones at once may exceed the server's memory or time
 * limits.
 */
const withMemory = withRetryAlone((cause) => cause instanceof StoreUnavailable)

async function compareOnce(
  rebuilt: Rebuilt,
  { table, topic }: RebuiltTable,
  ports: RebuildParts,
): Promise<ComparedTable> {
  const { log } = ports.running
  const shadow = (await rebuildPosition(rebuilt, log)).next[topic] ?? []
  const live = await log.committed(viewGroup(rebuilt.name, rebuilt.store), topic)
  // without committed offsets of the live group, its tables may still have rows, written earlier
  const upTo = shadow.map((offset, partition) => Math.min(offset, live[partition] ?? offset))
  return withMemory(() => compareTable(ports.live, { sides: ports.sides, table, upTo }))
}

/** The tables to exchange, and the positions from which each side has to be read again afterwards. */
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

/** Exchanges the tables once the rebuilt ones have caught up. */
export async function exchange(rebuilt: Rebuilt, state: Exchanging, ports: RebuildParts): Promise<void> {
  await keepState(ports.shadow, rebuilt.name, state)
  await checkClaim(ports.shadow, rebuilt.name, ports.holder)
  await untilLevel(rebuilt, ports)
  await makeLive(state, 'rebuilt', ports)
}

/**
 * Writes the records that the live view may have written to the replaced tables during the exchange to the rebuilt
 * ones: everything from their last position to the current end. Returns the number of records.
 */
export async function catchUp(rebuilt: Rebuilt, state: Exchanging, ports: RebuildParts): Promise<number> {
  await makeLive(state, 'rebuilt', ports) // a no-op, except after a crash during the exchange
  const records = await reread(rebuilt, state.exchange.rebuiltUpTo, ports)
  await keepState(ports.shadow, rebuilt.name, { ...state, phase: 'exchanged' })
  return records
}

/** Exchanges the replaced tables back, then writes the records that were logged since they were replaced. */
export async function exchangeBack(rebuilt: Rebuilt, state: Exchanging, ports: RebuildParts): Promise<number> {
  const returning = { ...state, phase: 'returning' as const }
  await keepState(ports.shadow, rebuilt.name, returning)
  await checkClaim(ports.shadow, rebuilt.name, ports.holder)
  await makeLive(returning, 'replaced', ports)
  const records = await reread(rebuilt, state.exchange.replacedUpTo, ports)
  await keepState(ports.shadow, rebuilt.name, { ...state, phase: 'returned' })
  return records
}

const makeLive = (
  { exchange: { tables } }: Exchanging,
  which: 'rebuilt' | 'replaced',
  ports: RebuildParts,
): Promise<void> =>
  putInPlace(
    ports.live,
    ports.sides,
    tables.map(({ table, [which]: target }) => ({ table, target })),
  )
