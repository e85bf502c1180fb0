import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { Codec, ViewedLog } from '../ports/log.ts'
import { type Checkpoint, fileCheckpoint, noCheckpoint } from './import-state.ts'
import type { ColumnMap } from './columns.ts'
import { csvRecords } from './csv.ts'
import { importArticles, tryArticles } from './import-articles.ts'
import { jsonlRecords } from './jsonl.ts'
import { checkPaths, fingerprint, openSource } from './open-source.ts'
import { bar } from './progress.ts'
import { startImport, type ImportPorts } from './settle-stories.ts'
import { SourceTally } from './tally.ts'

export interface FilesImport {
  /** Paths, or `-` for standard input. */
  readonly files: readonly string[]
  readonly format: 'jsonl' | 'csv'
  readonly namespace: string
  /** Articles per second; `null` for no limit. */
  readonly rate: number | null
  /** Ignore the checkpoint of a killed import. */
  readonly restart: boolean
  /** Wait until every article is readable in each of its views. */
  readonly wait: boolean
  /** Additional column or key names of the fields. */
  readonly map: ColumnMap
  /** CSV only; `null`: detect the separator from the header. */
  readonly separator: string | null
}

export interface FilesPorts extends ImportPorts {
  readonly home: string
  readonly stdin: Readable
}

const recordsOf = { jsonl: jsonlRecords, csv: csvRecords } as const

/**
 * Imports files one after another. The tally counts the outcome of each record, and rejections by later stages if it
 * waits for them.
 */
export async function importFiles(what: FilesImport, ports: FilesPorts): Promise<SourceTally> {
  await checkPaths(what.files, what.format)
  const { log, codec, end } = await startImport(ports, what)
  const tally = new SourceTally()
  for (const file of what.files) await importFile(file, { what, ports, tally, log, codec })
  await end(tally)
  return tally
}

/** A dry run: counts what an import would accept and reject. */
export async function tryFiles(what: FilesImport, { stdin }: Pick<FilesPorts, 'stdin'>): Promise<SourceTally> {
  await checkPaths(what.files, what.format)
  const tally = new SourceTally()
  for (const file of what.files) {
    const { bytes } = await openSource(file, stdin)
    await tryArticles(sourceOf(file, bytes, what), tally)
  }
  return tally
}

interface FileImportOptions {
  readonly what: FilesImport
  readonly ports: FilesPorts
  readonly tally: SourceTally
  readonly log: ViewedLog
  readonly codec: Codec
}

async function importFile(file: string, { what, ports, tally, log, codec }: FileImportOptions): Promise<void> {
  const checkpoint = await checkpointOf(file, what, ports.home)
  const { bytes, size, done } = await openSource(file, ports.stdin)
  const say = (): string => `${bar(done(), size)}${basename(file)}: ${counts(tally)}`
  await importArticles(
    { ...sourceOf(file, bytes, what), rate: what.rate, checkpoint },
    {
      log,
      codec,
      clock: ports.clock,
      onUnavailable: () => ports.progress.print(`${say()}; Kafka is not reachable, retrying`),
      onProgress: () => ports.progress.update(say),
    },
    tally,
  )
}

const sourceOf = (file: string, bytes: AsyncIterable<Buffer>, what: FilesImport) => ({
  records: recordsOf[what.format](bytes, what),
  namespace: what.namespace,
  producer: `import-${what.format}`,
  file: what.files.length === 1 ? null : file,
})

const counts = ({ accepted, refusals }: SourceTally): string => `${accepted} accepted, ${refusals.length} refused`

async function checkpointOf(file: string, { namespace, restart }: FilesImport, home: string): Promise<Checkpoint> {
  const identity = await fingerprint(file)
  if (identity === null) return noCheckpoint
  const checkpoint = fileCheckpoint(home, { fingerprint: identity, namespace })
  if (restart) checkpoint.clear()
  return checkpoint
}
