import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { countAlreadyThere, endsBefore } from './already-there.ts'
import { type Checkpoint, fileCheckpoint, noCheckpoint } from './checkpoint.ts'
import type { ColumnMap } from './columns.ts'
import { csvRecords } from './csv.ts'
import { importArticles, tryArticles } from './import-articles.ts'
import { jsonlRecords } from './jsonl.ts'
import { checkPaths, fingerprint, openSource } from './open-source.ts'
import { bar, type Progress } from './progress.ts'
import { followRefusals } from './refused-later.ts'
import { SourceTally } from './tally.ts'
import { settleStories } from './settle-stories.ts'

export interface FilesImport {
  /** Paths, or `-` for standard input. */
  readonly files: readonly string[]
  readonly format: 'jsonl' | 'csv'
  readonly namespace: string
  /** Articles per second; `null` for as fast as the log accepts them. */
  readonly rate: number | null
  /** Ignores the checkpoint of a killed import. */
  readonly restart: boolean
  /** Until every article is readable in every view that gets it. */
  readonly wait: boolean
  /** Which columns or keys hold which fields, besides what their names say. */
  readonly map: ColumnMap
  /** For CSV; `null` for the most frequent one of the header. */
  readonly separator: string | null
}

export interface FilesPorts {
  readonly log: () => Promise<Log>
  readonly codec: () => Promise<Codec>
  readonly store: () => Promise<Store>
  readonly clock: Clock
  readonly home: string
  readonly stdin: Readable
  readonly progress: Progress
}

const recordsOf = { jsonl: jsonlRecords, csv: csvRecords } as const

/** Imports files one after the other; the tally counts the outcome of each record, and rejections by later stages. */
export async function importFiles(what: FilesImport, ports: FilesPorts): Promise<SourceTally> {
  await checkPaths(what.files, what.format)
  const [log, codec] = [await ports.log(), await ports.codec()]
  const refusals = await followRefusals(log, codec)
  const before = await endsBefore(log)
  const tally = new SourceTally()
  for (const file of what.files) await importFile(file, { what, ports, tally, log, codec })
  await settleStories(tally, what, { ...ports, refusals })
  if (what.wait) await countAlreadyThere(tally, { store: await ports.store(), namespace: what.namespace, before })
  ports.progress.end()
  return tally
}

/** A dry run: what an import would accept and refuse. */
export async function tryFiles(what: FilesImport, { stdin }: Pick<FilesPorts, 'stdin'>): Promise<SourceTally> {
  await checkPaths(what.files, what.format)
  const tally = new SourceTally()
  for (const file of what.files) {
    const { bytes } = await openSource(file, stdin)
    const origin = { namespace: what.namespace, producer: producerOf(what), file: fileName(file, what) }
    await tryArticles({ records: recordsOf[what.format](bytes, what), ...origin }, tally)
  }
  return tally
}

interface FileImportOptions {
  readonly what: FilesImport
  readonly ports: FilesPorts
  readonly tally: SourceTally
  readonly log: Log
  readonly codec: Codec
}

async function importFile(file: string, { what, ports, tally, log, codec }: FileImportOptions): Promise<void> {
  const checkpoint = await checkpointOf(file, what, ports.home)
  const { bytes, size, done } = await openSource(file, ports.stdin)
  const say = (): string => `${bar(done(), size)}${basename(file)}: ${counts(tally)}`
  await importArticles(
    {
      records: recordsOf[what.format](bytes, what),
      namespace: what.namespace,
      producer: producerOf(what),
      rate: what.rate,
      checkpoint,
      file: fileName(file, what),
    },
    {
      log,
      codec,
      clock: ports.clock,
      onAway: () => ports.progress.print(`${say()}; Kafka is not reachable, retrying`),
      onProgress: () => ports.progress.update(say),
    },
    tally,
  )
}

const producerOf = ({ format }: FilesImport): string => `import-${format}`

const fileName = (file: string, { files }: FilesImport): string | null => (files.length === 1 ? null : file)

const counts = ({ accepted, refusals }: SourceTally): string => `${accepted} accepted, ${refusals.length} refused`

async function checkpointOf(file: string, { namespace, restart }: FilesImport, home: string): Promise<Checkpoint> {
  const identity = await fingerprint(file)
  if (identity === null) return noCheckpoint
  const checkpoint = fileCheckpoint(home, { fingerprint: identity, namespace })
  if (restart) checkpoint.clear()
  return checkpoint
}
