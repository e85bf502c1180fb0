import { isTaken, takeLock } from '../../engines/lock-file.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { schemaText } from '../../adapters/registry/register.ts'
import type { Manifest } from './manifest.ts'
import type { Log } from '../../ports/log.ts'
import { momentOf } from '../moment.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { exportTo, goesOn, type ExportRange, type ExportWish } from './export.ts'
import { archiveIn } from './folder.ts'
import { saying } from './saying.ts'
import { allTopics, groupsOf } from './topics.ts'

export interface ExportOptions {
  readonly all?: true
  readonly to?: string
  readonly from?: string
  readonly until?: string
  readonly json?: true
  readonly dryRun?: true
}

/** With the folder, which stands in `--to` or among the words. */
type Export = Omit<ExportOptions, 'to'> & { readonly to: string }

/** The words are topics, and without `--to` one of them is the folder. */
export async function exportCommand(wiring: Wiring, words: readonly string[], given: ExportOptions): Promise<void> {
  const { to, topics } = targetOf(words, given)
  const options = { ...given, to }
  if (options.dryRun) {
    await planned(wiring, topics, options)
    return
  }
  mkdirSync(options.to, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(options.to, 'archive.lock'))
  if (isTaken(lock)) throw new Error(`${options.to} is being written by process ${lock.pid}`)
  try {
    await exported(wiring, topics, options)
  } finally {
    lock.release()
  }
}

async function planned(wiring: Wiring, topics: readonly string[], options: Export): Promise<void> {
  const { wish, lost } = await wishOf(wiring, { topics, manifest: archiveIn(options.to).manifest }, options)
  const offsets = offsetsOf(wish)
  if (options.json) wiring.out.json({ dry_run: true, offsets, lost })
  else [`${offsets} offsets would be exported`, ...lost].forEach((line) => wiring.out.line(line))
}

async function exported(wiring: Wiring, topics: readonly string[], options: Export): Promise<void> {
  const { folder, manifest } = archiveIn(options.to)
  const { wish, lost } = await wishOf(wiring, { topics, manifest }, options)
  const say = saying(wiring, { whole: offsetsOf(wish), of: 'offsets' })
  const { registry } = wiring.config
  const ports = {
    log: await wiring.log(),
    folder,
    schemaText: (id: number) => schemaText(registry, id),
    onDone: say.done,
  }
  const after = await exportTo(ports, manifest, wish)
  say.end()
  const files = after.files.slice(manifest.files.length)
  const records = files.reduce((sum, file) => sum + file.records, 0)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (options.json) wiring.out.json({ dry_run: false, files: files.length, records, bytes, lost })
  else
    [`${records} records in ${files.length} new files, ${bytes} bytes`, ...lost].forEach((line) =>
      wiring.out.line(line),
    )
}

interface ExportCommandTarget {
  readonly to: string
  readonly topics: readonly string[]
}

export function targetOf(
  words: readonly string[],
  { to, all }: Pick<ExportOptions, 'to' | 'all'>,
): ExportCommandTarget {
  const known = allTopics()
  const named = words.filter((word) => known.includes(word))
  const [first, ...others] = words.filter((word) => !known.includes(word))
  const strange = to === undefined ? others : [first, ...others].filter((word) => word !== undefined)
  if (strange.length > 0) throw new Error(`unknown topic ${strange.join(', ')}. Use topics from: ${known.join(', ')}`)
  const folder = to ?? first
  if (folder === undefined) throw new Error('archive folder missing: use story archive export DIR, or --to DIR')
  return { to: folder, topics: all === undefined && named.length > 0 ? named : known }
}

const offsetsOf = ({ range: ranges }: ExportWish): number =>
  ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0)

interface ExportSelection {
  readonly topics: readonly string[]
  readonly manifest: Manifest
}

interface Wished {
  readonly wish: ExportWish
  /** In words, what the log has let go since the last export. */
  readonly lost: readonly string[]
}

const isMemory = (topic: string): boolean => topic.endsWith('.memory')

/** Those that `isFirst` says before the rest, each in the order given. */
const putFirst = <Of>(all: readonly Of[], isFirst: (one: Of) => boolean): readonly Of[] => [
  ...all.filter(isFirst),
  ...all.filter((one) => !isFirst(one)),
]

/**
 * Asked in this order while the service works: how far groups had read, the ends of memories, the ends of the rest. So a copy
 * never remembers what its ledger does not hold, and reads again what it does not remember. Written the other way round: an
 * export that is killed leaves memories that are too old rather than too new.
 */
async function wishOf(wiring: Wiring, { topics, manifest }: ExportSelection, options: ExportOptions): Promise<Wished> {
  const log = await wiring.log()
  const groups = await groupsOf(log, topics)
  const [lost, ranges, widths]: [string[], ExportRange[], ExportWish['topics'][number][]] = [[], [], []]
  for (const topic of putFirst(topics, isMemory)) {
    const bounds = await boundsOf(wiring, topic, options)
    widths.push({ topic, partitions: bounds.length })
    for (const [partition, { start, from, to }] of bounds.entries()) {
      const at = goesOn(manifest, { topic, partition }, { start, from })
      if (at.lost > 0) lost.push(`${topic} ${partition}: ${at.lost} offsets are neither in the log nor in the archive`)
      ranges.push({ topic, partition, from: at.from, to })
    }
  }
  return { wish: { topics: widths, range: putFirst(ranges, ({ topic }) => !isMemory(topic)), groups }, lost }
}

/** By partition: what the log still has, from where it is wanted (null: from the first), and up to where. */
async function boundsOf(wiring: Wiring, topic: string, options: ExportOptions) {
  const log = await wiring.log()
  const now = wiring.clock.now()
  const [starts, ends] = [await log.starts(topic), await log.ends(topic)]
  const from = await offsetsAt(log, { topic, option: '--from', text: options.from }, now)
  const until = await offsetsAt(log, { topic, option: '--until', text: options.until }, now)
  return ends.map((end, p) => ({
    start: starts[p] ?? 0,
    from: from?.[p] ?? null,
    to: Math.min(end, until?.[p] ?? end),
  }))
}

interface OffsetOption {
  readonly topic: string
  readonly option: string
  readonly text: string | undefined
}

/** By partition: an offset is one for all; a time is what each had by then. Null: none is set. */
async function offsetsAt(
  log: Log,
  { topic, option, text }: OffsetOption,
  now: number,
): Promise<readonly number[] | null> {
  if (text === undefined) return null
  const ends = await log.ends(topic)
  if (/^\d+$/.test(text)) return ends.map(() => Number(text))
  const time = momentOf(text, now)
  if (time === null) throw new Error(`${option} ${text}: expected an offset, a date (2027-01-31) or an age (7d)`)
  return log.since(topic, time)
}
