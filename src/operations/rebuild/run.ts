import type { Consumer } from '../../ports/log.ts'
import { someAtOnce } from './at-once.ts'
import { beginOrGoOn, prepare, type RebuildLeft } from './begin.ts'
import { whileClaimed } from './while-claimed.ts'
import { follow, rebuildGroup, commitBeginning, untilRead } from './follow.ts'
import { catchUp, compared, exchange, planExchange, type TableOutcome } from './one-view.ts'
import { positionOf } from './positions.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'

/** What became of the rebuild of a view. */
export interface ViewOutcome {
  readonly view: string
  /** Records of its topics, altogether. */
  readonly records: number
  readonly tables: readonly TableOutcome[]
  /** False: the tables differ, and nobody said that this is meant. The shadow stays as it is. */
  readonly exchanged: boolean
  /** Records that were logged around the exchange and read again after it. */
  readonly read_again: number
}

export interface RebuildOptions {
  /** What was broken off is gone on with, or begun again. */
  readonly broken: 'go on' | 'restart'
  /** What a difference means for the exchange. */
  readonly differences: 'refuse' | 'accept'
}

interface RebuildPart {
  readonly rebuilt: Rebuilt
  readonly left: RebuildLeft
  /** Null: nothing of it is read, or not yet. */
  consumer: Consumer | null
}

/**
 * Rebuilds some views beside the live ones and puts them in: all are read at the same time, then compared and exchanged,
 * some at the same time. The shadow goes on being filled until its tables are live.
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
        left: await beginOrGoOn(rebuilt, ports, options.broken),
      })
      parts.push(...(await someAtOnce(views, begin)))
      await read(parts, ports)
      return await someAtOnce(parts, (part) => finish(part, options, ports))
    } finally {
      await Promise.all(parts.map(async ({ consumer }) => consumer?.stop()))
      ports.progress.end()
    }
  })
}

async function read(parts: readonly RebuildPart[], ports: RebuildParts): Promise<void> {
  const reading = parts.filter(({ left }) => left.kind === 'read')
  const views = reading.map(({ rebuilt }) => rebuilt)
  await commitBeginning(views, ports)
  const start = async (part: RebuildPart): Promise<void> => {
    part.consumer = await follow(part.rebuilt, ports)
  }
  await someAtOnce(reading, start, reading.length) // each waits for the log to let it into its group
  await untilRead(views, ports)
}

async function finish(
  { rebuilt, left, consumer }: RebuildPart,
  options: RebuildOptions,
  ports: RebuildParts,
): Promise<ViewOutcome> {
  const { whole } = await positionOf(rebuilt.view, rebuildGroup(rebuilt.name), ports.running.log)
  const outcome = { view: rebuilt.name, records: whole, tables: [], exchanged: true }
  if (left.kind === 'catch up') return { ...outcome, read_again: await catchUp(rebuilt, left.state, ports) }

  const tables = await compared(rebuilt, ports)
  const differs = tables.some(({ counts, same }) => counts && !same)
  if (differs && options.differences === 'refuse') return { ...outcome, tables, exchanged: false, read_again: 0 }

  const state = await planExchange(rebuilt, ports, left.since)
  await exchange(rebuilt, state, ports)
  await consumer?.stop() // the shadow now has the tables that were replaced
  return { ...outcome, tables, read_again: await catchUp(rebuilt, state, ports) }
}
