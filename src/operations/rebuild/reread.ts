import { projected, topicsOf } from '../../runtime/run-view.ts'
import { insist } from '../../runtime/retry.ts'
import type { Log, LogRecord } from '../../ports/log.ts'
import { eta } from '../progress.ts'
import type { Offsets } from '../lag/positions.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'
import { parseMoment } from '../../domain/intake/articles.ts'

/**
 * Writes the records from some offsets to the end of the log to the current live tables, and returns their number. Rows
 * are keyed by event, so a row that exists is replaced by its current version.
 */
export async function reread({ view }: Rebuilt, from: Offsets, ports: RebuildParts): Promise<number> {
  const { log, clock } = ports.running
  const startedAt = clock.now()
  const partitions = await partitionsToRead(from, log)
  const whole = partitions.reduce((sum, { records }) => sum + records, 0)
  let done = 0
  for (const { topic, partition, offset } of partitions) {
    for await (const records of log.read(topic, partition, offset)) {
      await write({ topic, records }, { view, ports })
      done += records.length
      ports.progress.update(() => eta({ done, whole, elapsedMs: clock.now() - startedAt, of: 'records' }))
    }
  }
  await view.derived?.recompute(ports.live)
  return done
}

/**
 * The partitions that have records from an offset on, with the maximum number of records. Most have none, and each read
 * needs its own connection.
 */
async function partitionsToRead(from: Offsets, log: Log) {
  const topics = await Promise.all(
    Object.entries(from).map(async ([topic, offsets]) => {
      const ends = await log.ends(topic)
      return offsets.map((offset, partition) => {
        return { topic, partition, offset, records: Math.max(0, (ends[partition] ?? 0) - offset) }
      })
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
  const { rows } = await insist('read', () => projected(view, { ...of, holds: ports.scope.holds }, codec), how)
  for (const [table, ofTable] of rows) {
    await insist('write', () => ports.live.insert(table, ofTable), how)
  }
}

/** Where to start: the same offset in each partition of the view's topics, or a time. */
export type InPlaceStart = { readonly offset: number } | { readonly time: number }

/** Throws if the text is neither. */
export function fromOf(text: string): InPlaceStart {
  if (/^\d{1,15}$/.test(text)) return { offset: Number(text) }
  const time = parseMoment(text)
  if (time === null) throw new Error(`--from ${text}: expected an offset (0) or a date (2027-01-31T12:00:00Z)`)
  return { time }
}

export async function offsetsFrom({ view }: Rebuilt, from: InPlaceStart, log: Log): Promise<Offsets> {
  const entries = topicsOf(view).map(async (topic): Promise<[string, readonly number[]]> => {
    if ('time' in from) return [topic, await log.since(topic, from.time)]
    const starts = await log.starts(topic)
    return [topic, starts.map((start) => Math.max(start, from.offset))]
  })
  return Object.fromEntries(await Promise.all(entries))
}

export interface ReadAgain {
  readonly view: string
  readonly read_again: number
}

/** Writes the records of some views to the live tables again, one view after the other. */
export async function rereadInPlace(
  views: readonly Rebuilt[],
  from: InPlaceStart,
  ports: RebuildParts,
): Promise<readonly ReadAgain[]> {
  const done: ReadAgain[] = []
  for (const rebuilt of views) {
    const offsets = await offsetsFrom(rebuilt, from, ports.running.log)
    done.push({ view: rebuilt.name, read_again: await reread(rebuilt, offsets, ports) })
  }
  ports.progress.end()
  return done
}
