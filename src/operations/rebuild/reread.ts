import { projected } from '../../runtime/run-view.ts'
import { insist } from '../../runtime/retry.ts'
import type { LogRecord, Place } from '../../ports/log.ts'
import { eta } from '../eta.ts'
import type { Offsets } from './state.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'

/**
 * Writes what the log holds from some offsets to its ends into the live tables, whichever they are now, and says how many
 * records that were. Rows are keyed by event: what is there already is the same row, or is replaced by what it is today.
 */
export async function reread({ view }: Rebuilt, from: Offsets, ports: RebuildParts): Promise<number> {
  const { log, clock } = ports.running
  const startedAt = clock.now()
  const left = await leftBehind(from, log)
  const whole = left.reduce((sum, { records }) => sum + records, 0)
  let done = 0
  for (const { topic, partition, offset } of left) {
    for await (const records of log.read(topic, partition, offset)) {
      await write({ topic, records }, { view, ports })
      done += records.length
      ports.progress.update(() => eta({ done, whole, elapsedMs: clock.now() - startedAt, of: 'records' }))
    }
  }
  return done
}

interface RecordsLeft extends Place {
  /** At most, with markers of transactions. */
  readonly records: number
}

/** Of each partition with anything behind an offset. Most have nothing, and to read one is a connection of its own. */
async function leftBehind(from: Offsets, log: RebuildParts['running']['log']): Promise<readonly RecordsLeft[]> {
  const topics = await Promise.all(
    Object.entries(from).map(async ([topic, offsets]) => {
      const ends = await log.ends(topic)
      return offsets.map((offset, partition) => ({
        ...{ topic, partition, offset },
        records: Math.max(0, (ends[partition] ?? 0) - offset),
      }))
    }),
  )
  return topics.flat().filter(({ records }) => records > 0)
}

async function write(
  of: { readonly topic: string; readonly records: readonly LogRecord[] },
  { view, ports }: { readonly view: Rebuilt['view']; readonly ports: RebuildParts },
): Promise<void> {
  const { codec, clock, limits } = ports.running
  const how = {
    clock,
    limits,
    signal: new AbortController().signal,
    stillOurs: () => Promise.resolve(true),
    onFailure: ({ step }: { readonly step: string }) => ports.progress.update(() => `${step} failed, retrying`),
  }
  const { rows } = await insist('read', () => projected(view, of, codec), how)
  for (const [table, ofTable] of rows) {
    await insist('write', () => ports.live.insert(table, ofTable), how)
  }
}
