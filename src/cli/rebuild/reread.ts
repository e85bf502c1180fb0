import { projected } from '../../runtime/run-view.ts'
import { insist } from '../../runtime/retry.ts'
import type { LogRecord } from '../../ports/log.ts'
import { eta } from '../eta.ts'
import type { Offsets } from '../../rebuild/state.ts'
import type { Rebuilding, Rebuilt } from './rebuilding.ts'

/**
 * Writes what the log holds from some offsets to its ends into the live tables, whichever they are now, and says how many
 * records that were. Rows are keyed by event: what is there already is the same row, or is replaced by what it is today.
 */
export async function reread({ view }: Rebuilt, from: Offsets, ports: Rebuilding): Promise<number> {
  const { log, clock } = ports.running
  const startedAt = clock.now()
  const whole = await countFrom(from, log)
  let done = 0
  for (const [topic, offsets] of Object.entries(from)) {
    for (const [partition, offset] of offsets.entries()) {
      for await (const records of log.read(topic, partition, offset)) {
        await write({ topic, records }, { view, ports })
        done += records.length
        ports.progress.tell(() => eta({ done, whole, elapsedMs: clock.now() - startedAt, of: 'records' }))
      }
    }
  }
  return done
}

async function countFrom(from: Offsets, log: Rebuilding['running']['log']): Promise<number> {
  const counts = await Promise.all(
    Object.entries(from).map(async ([topic, offsets]) => {
      const ends = await log.ends(topic)
      return offsets.reduce((sum, offset, partition) => sum + Math.max(0, (ends[partition] ?? 0) - offset), 0)
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function write(
  of: { readonly topic: string; readonly records: readonly LogRecord[] },
  { view, ports }: { readonly view: Rebuilt['view']; readonly ports: Rebuilding },
): Promise<void> {
  const { codec, clock, limits } = ports.running
  const how = {
    clock,
    limits,
    signal: new AbortController().signal,
    stillOurs: async () => await Promise.resolve(true),
    onFailure: ({ step }: { readonly step: string }) => ports.progress.tell(() => `cannot ${step} now, trying again`),
  }
  const { rows } = await insist('read', async () => await projected(view, of, codec), how)
  for (const [table, ofTable] of rows) {
    await insist('write', async () => await ports.live.insert(table, ofTable), how)
  }
}
