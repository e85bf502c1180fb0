import { parseMoment } from '../../domain/intake/articles.ts'
import { topicsOf } from '../../runtime/run-view.ts'
import type { Offsets } from './state.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'
import { reread } from './reread.ts'

/** From where a view is read again: an offset of each partition of its topics, or a time. */
export type InPlaceStart = { readonly offset: number } | { readonly time: number }

/** Throws where a text is neither. */
export function fromOf(text: string): InPlaceStart {
  if (/^\d{1,15}$/.test(text)) return { offset: Number(text) }
  const time = parseMoment(text)
  if (time === null) throw new Error(`--from ${text}: expected an offset (0) or a date (2027-01-31T12:00:00Z)`)
  return { time }
}

export async function offsetsFrom(
  { view }: Rebuilt,
  from: InPlaceStart,
  log: RebuildParts['running']['log'],
): Promise<Offsets> {
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

/** Reads some views again into the live tables, one after the other. */
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
