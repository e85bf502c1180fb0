import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isStateTopic } from '../../events/topic.ts'
import { isTaken, takeLock } from '../../engines/lock-file.ts'
import { schemaText, type RegistryAccess, registerSchemas } from '../../adapters/registry/register.ts'
import type { Manifest } from './manifest.ts'
import { type CommandOptions, momentOf } from '../options.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { exportTo, resumeOffset, type ExportRange, type ExportRequest } from './export.ts'
import { archiveIn, openArchive } from './folder.ts'
import { allTopics, groupsOf, withRecordTimestamps } from './topics.ts'
import { kafkaRestorer } from '../../adapters/kafka/producers.ts'
import { checkEmpty, registerAll, restore } from './import.ts'
import { verify } from './verify.ts'
import { countedProgress } from '../progress.ts'

export interface ExportOptions extends CommandOptions {
  readonly all?: true
  readonly to?: string
  readonly from?: string
  readonly until?: string
}

/** The options, with the folder given by `--to` or as an argument. */
type Export = Omit<ExportOptions, 'to'> & { readonly to: string }

/** The arguments are topics; without `--to`, one of them is the folder. */
export async function exportCommand(wiring: Wiring, words: readonly string[], given: ExportOptions): Promise<void> {
  const { to, topics } = targetOf(words, given)
  const options = { ...given, to }
  if (options.dryRun) {
    await printPlan(wiring, topics, options)
    return
  }
  mkdirSync(options.to, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(options.to, 'archive.lock'))
  if (isTaken(lock)) throw new Error(`${options.to} is being written by process ${lock.pid}`)
  try {
    await runExport(wiring, topics, options)
  } finally {
    lock.release()
  }
}

async function printPlan(wiring: Wiring, topics: readonly string[], options: Export): Promise<void> {
  const { request, lost } = await requestOf(wiring, { topics, manifest: archiveIn(options.to).manifest }, options)
  const offsets = offsetsOf(request)
  if (options.json) wiring.out.json({ dry_run: true, offsets, lost })
  else [`${offsets} offsets would be exported`, ...lost].forEach((line) => wiring.out.line(line))
}

async function runExport(wiring: Wiring, topics: readonly string[], options: Export): Promise<void> {
  const { folder, manifest } = archiveIn(options.to)
  const { request, lost } = await requestOf(wiring, { topics, manifest }, options)
  const progress = countedProgress(wiring, { whole: offsetsOf(request), of: 'offsets' })
  const { registry } = wiring.config
  const ports = {
    log: await wiring.log(),
    folder,
    schemaText: (id: number) => schemaText(registry, id),
    onDone: progress.done,
  }
  const after = await exportTo(ports, manifest, request)
  progress.end()
  const files = after.files.slice(manifest.files.length)
  const records = files.reduce((sum, file) => sum + file.records, 0)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (options.json) wiring.out.json({ dry_run: false, files: files.length, records, bytes, lost })
  else
    [`${records} records in ${files.length} new files, ${bytes} bytes`, ...lost].forEach((line) =>
      wiring.out.line(line),
    )
}

/** The folder and the topics in the arguments. */
export function targetOf(words: readonly string[], { to, all }: Pick<ExportOptions, 'to' | 'all'>) {
  const known = allTopics()
  const named = words.filter((word) => known.includes(word))
  const [first, ...others] = words.filter((word) => !known.includes(word))
  const unknown = to === undefined ? others : [first, ...others].filter((word) => word !== undefined)
  if (unknown.length > 0) throw new Error(`unknown topic ${unknown.join(', ')}. Use topics from: ${known.join(', ')}`)
  const folder = to ?? first
  if (folder === undefined) throw new Error('archive folder missing: use story archive export DIR, or --to DIR')
  return { to: folder, topics: all === undefined && named.length > 0 ? named : known }
}

const offsetsOf = ({ range: ranges }: ExportRequest): number =>
  ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0)

/** Items for which `isFirst` is true come before the rest, each group in its original order. */
const putFirst = <Of>(all: readonly Of[], isFirst: (one: Of) => boolean): readonly Of[] => [
  ...all.filter(isFirst),
  ...all.filter((one) => !isFirst(one)),
]

/**
 * Positions are read in this order while the service runs: committed offsets of the groups, ends of the state
 * changelogs, ends of the other topics. So a copied state never contains anything that is missing from the copied
 * ledger, and inputs that it lacks are processed again. Files are written in the opposite order: an export that is
 * killed leaves changelogs that are too old rather than too new. `lost` lists what the log has deleted since the last
 * export.
 */
async function requestOf(
  wiring: Wiring,
  { topics, manifest }: { readonly topics: readonly string[]; readonly manifest: Manifest },
  options: ExportOptions,
): Promise<{ readonly request: ExportRequest; readonly lost: readonly string[] }> {
  const groups = await groupsOf(await wiring.log(), topics)
  const [lost, ranges, widths]: [string[], ExportRange[], ExportRequest['topics'][number][]] = [[], [], []]
  for (const topic of putFirst(topics, isStateTopic)) {
    const bounds = await boundsOf(wiring, topic, options)
    checkWidth(manifest, { topic, partitions: bounds.length })
    widths.push({ topic, partitions: bounds.length })
    for (const [partition, { start, from, to }] of bounds.entries()) {
      const at = resumeOffset(manifest, { topic, partition }, { start, from })
      if (at.lost > 0) lost.push(`${topic} ${partition}: ${at.lost} offsets are neither in the log nor in the archive`)
      ranges.push({ topic, partition, from: at.from, to })
    }
  }
  return { request: { topics: widths, range: putFirst(ranges, ({ topic }) => !isStateTopic(topic)), groups }, lost }
}

/** After the partitions grew, the files of a partition would hold records that are now in another one. */
function checkWidth({ topics }: Manifest, { topic, partitions }: Manifest['topics'][number]): void {
  const archived = topics.find((one) => one.topic === topic)?.partitions ?? partitions
  if (archived === partitions) return
  throw new Error(`${topic} has ${partitions} partition(s), the archive ${archived}. Export to a new folder`)
}

/**
 * By partition: first available offset, first requested offset (`null` means the first available), end offset
 * (exclusive).
 */
async function boundsOf(wiring: Wiring, topic: string, options: ExportOptions) {
  const log = await wiring.log()
  const [starts, ends] = [await log.starts(topic), await log.ends(topic)]
  /** An offset applies to all partitions; a time is resolved for each partition. `null` if the option is not set. */
  const offsetsAt = async (option: 'from' | 'until'): Promise<readonly number[] | null> => {
    const text = options[option]
    if (text === undefined) return null
    if (/^\d+$/.test(text)) return ends.map(() => Number(text))
    const time = momentOf(text, wiring.clock.now())
    if (time === null) throw new Error(`--${option} ${text}: expected an offset, a date (2027-01-31) or an age (7d)`)
    return log.since(topic, time)
  }
  const [from, until] = [await offsetsAt('from'), await offsetsAt('until')]
  return ends.map((end, p) => ({
    start: starts[p] ?? 0,
    from: from?.[p] ?? null,
    to: Math.min(end, until?.[p] ?? end),
  }))
}

export function verifyCommand(wiring: Wiring, dir: string, { json }: { readonly json?: true }): void {
  const { folder, manifest } = openArchive(dir)
  const whole = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const progress = countedProgress(wiring, { whole, of: 'bytes' })
  const { problems, ...found } = verify(folder, manifest, progress.done)
  progress.end()
  if (json) wiring.out.json({ ...found, problems })
  else wiring.out.line(`${found.records} records in ${found.files} files, ${found.bytes} bytes`)
  refuseDamaged(dir, problems)
}

function refuseDamaged(dir: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${dir} is damaged\n${problems.join('\n')}`)
}

export async function importCommand(wiring: Wiring, dir: string, { json, dryRun }: CommandOptions): Promise<void> {
  const { folder, manifest } = openArchive(dir)
  const log = await wiring.log()
  await checkEmpty({ log }, manifest)
  const { records, problems } = verify(folder, manifest, () => undefined)
  refuseDamaged(dir, problems)

  if (!dryRun) {
    const { kafka, registry } = wiring.config
    const progress = countedProgress(wiring, { whole: records, of: 'records' })
    const ports = {
      ...{ log, clock: wiring.clock, folder, onRecords: progress.done },
      restorer: (name: string) => kafkaRestorer({ ...kafka, clientId: 'story-archive' }, name),
      register: (topic: string, text: string) => registered(registry, topic, text),
    }
    const ids = await registerAll(ports, manifest)
    const topics = manifest.topics.map(({ topic }) => topic)
    await withRecordTimestamps(kafka, topics, () => restore(ports, manifest, ids))
    progress.end()
  }
  if (json) wiring.out.json({ dry_run: dryRun === true, topics: manifest.topics.length, records })
  else
    wiring.out.line(
      `${records} records of ${manifest.topics.length} topics ${dryRun ? 'would be imported' : 'are in the log'}`,
    )
}

async function registered(registry: RegistryAccess, topic: string, text: string): Promise<number> {
  const isUnwritten = () => Promise.resolve(false)
  const [done] = await registerSchemas({ ...registry, isUnwritten }, [{ topic, text, history: [] }])
  if (done === undefined) throw new Error(`the registry returned no schema for ${topic}`)
  return done.id
}
