import type { Consumer } from '../../ports/log.ts'
import { mapConcurrently } from './at-once.ts'
import { beginOrResume, prepare, type RemainingWork } from './begin.ts'
import { whileClaimed } from './claim.ts'
import { follow, printStart, rebuildPosition, untilRead } from './follow.ts'
import { catchUp, compareView, exchange, planExchange, type TableOutcome } from './one-view.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'
import type { ComparedTable } from './compare.ts'

/** The result of rebuilding a view. */
export interface ViewOutcome {
  readonly view: string
  /** Total number of records in its topics. */
  readonly records: number
  readonly tables: readonly TableOutcome[]
  /** False if the tables differ and `accept` was not requested; the shadow then stays as it is. */
  readonly exchanged: boolean
  /** Records logged around the time of the exchange, which are written again. */
  readonly read_again: number
}

export interface RebuildOptions {
  /** Whether an interrupted rebuild is resumed or started again. */
  readonly broken: 'go on' | 'restart'
  /** Whether tables that differ are exchanged. */
  readonly differences: 'refuse' | 'accept'
}

interface RebuildPart {
  readonly rebuilt: Rebuilt
  readonly left: RemainingWork
  /** `null` if the view is not being read, or not yet. */
  consumer: Consumer | null
}

/**
 * Rebuilds some views in shadow tables and makes them live: all are read concurrently, then several at a time are
 * compared and exchanged. A shadow keeps consuming until its tables are live.
 */
export async function rebuild(
  views: readonly Rebuilt[],
  options: RebuildOptions,
  ports: RebuildParts,
): Promise<readonly ViewOutcome[]> {
  await prepare(ports)
  const names = views.map(({ name }) => name)
  return whileClaimed(names, ports, async () => {
    const parts: RebuildPart[] = []
    try {
      const begin = async (rebuilt: Rebuilt): Promise<RebuildPart> => ({
        ...{ rebuilt, consumer: null },
        left: await beginOrResume(rebuilt, ports, options.broken),
      })
      parts.push(...(await mapConcurrently(views, begin)))
      await read(parts, ports)
      return await mapConcurrently(parts, (part) => finish(part, options, ports))
    } finally {
      await Promise.all(parts.map(async ({ consumer }) => consumer?.stop()))
      ports.progress.end()
    }
  })
}

async function read(parts: readonly RebuildPart[], ports: RebuildParts): Promise<void> {
  const reading = parts.filter(({ left }) => left.kind === 'read')
  const views = reading.map(({ rebuilt }) => rebuilt)
  await printStart(views, ports)
  const start = async (part: RebuildPart): Promise<void> => {
    part.consumer = await follow(part.rebuilt, ports)
  }
  await mapConcurrently(reading, start, Infinity) // each waits until the broker has added it to its group
  await untilRead(views, ports)
}

async function finish(
  { rebuilt, left, consumer }: RebuildPart,
  options: RebuildOptions,
  ports: RebuildParts,
): Promise<ViewOutcome> {
  const { whole } = await rebuildPosition(rebuilt, ports.running.log)
  const outcome = { view: rebuilt.name, records: whole, tables: [], exchanged: true }
  if (left.kind === 'catch up') return { ...outcome, read_again: await catchUp(rebuilt, left.state, ports) }

  const tables = await compareView(rebuilt, ports)
  const differs = tables.some(({ counts, same }) => counts && !same)
  if (differs && options.differences === 'refuse') return { ...outcome, tables, exchanged: false, read_again: 0 }

  const state = await planExchange(rebuilt, ports, left.since)
  await exchange(rebuilt, state, ports)
  await consumer?.stop() // the shadow now has the replaced tables
  return { ...outcome, tables, read_again: await catchUp(rebuilt, state, ports) }
}

/** The result of rebuilding a view as text. */
export function outcomeLines({ view, records, tables, exchanged, read_again }: ViewOutcome): readonly string[] {
  const verdict = exchanged ? 'rebuilt and live' : 'NOT swapped: differs from the live view'
  const again = exchanged && read_again > 0 ? `, ${read_again} of them again after the swap` : ''
  return [`${view.padEnd(12)} ${verdict} (${records} records${again})`, ...tables.flatMap(tableLines)]
}

function tableLines(outcome: TableOutcome): readonly string[] {
  const { table, rebuilt, live, carried, counts } = outcome
  const kept = carried === 0 ? '' : `, ${carried} copied that are no longer in the log`
  const status = !counts ? 'passing' : outcome.same ? 'same' : 'DIFFERS'
  return [
    `  ${table.padEnd(18)} ${status.padEnd(8)} ${rebuilt.hash.padEnd(16)} ${rebuilt.rows} rows${kept}`,
    ...(status === 'DIFFERS' ? differenceLines(outcome) : []),
    ...(status === 'DIFFERS' ? [`  ${''.padEnd(18)} live:    ${live.hash.padEnd(16)} ${live.rows} rows`] : []),
  ]
}

function differenceLines({ difference }: ComparedTable): readonly string[] {
  if (difference === null) return ['    too many rows to compare row by row']
  const { only_live, only_rebuilt } = difference
  return [
    ...[`    only in the live table: ${only_live.rows}`, ...only_live.examples.map((key) => `      ${key}`)],
    ...[`    only in the rebuilt table: ${only_rebuilt.rows}`, ...only_rebuilt.examples.map((key) => `      ${key}`)],
  ]
}
