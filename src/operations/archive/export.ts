import type { ArchivedPartition, ArchivedRecord } from '../../ports/restorer.ts'
import { endOf, type ArchivedGroup, type ArchivedSchema, type Manifest, type ArchivedFile } from './manifest.ts'
import { schemaIdOf, fileBlock, fileHeader } from './record.ts'
import type { Log, LogRecord } from '../../ports/log.ts'
import { sha256Hex, type ArchiveFolder } from './folder.ts'

export interface ExportPorts {
  readonly log: Pick<Log, 'read' | 'starts' | 'ends' | 'committed'>
  readonly folder: ArchiveFolder
  /** The text of a schema by its id; `null` if the registry does not know it. Throws if the registry is unavailable. */
  readonly schemaText: (id: number) => Promise<string | null>
  /** Called with the number of offsets processed since the last call. */
  readonly onDone: (offsets: number) => void
}

/** The offsets of a partition to export: `from` inclusive, `to` exclusive. */
export interface ExportRange extends ArchivedPartition {
  readonly from: number
  readonly to: number
}

export interface ExportRequest {
  readonly topics: readonly { readonly topic: string; readonly partitions: number }[]
  readonly range: readonly ExportRange[]
  readonly groups: readonly ArchivedGroup[]
}

/** By schema id; `null` if the registry does not know the schema. */
type KnownSchemas = Map<number, ArchivedSchema | null>

/**
 * Adds the requested records to an archive, file by file. Each file is added to the manifest once it is written, so
 * that an interrupted export resumes after the last one. Committed offsets are written last: until then, a restored
 * installation resumes from the offsets of the previous export and produces the same events under the same ids. Returns
 * the new manifest.
 */
export async function exportTo(ports: ExportPorts, before: Manifest, request: ExportRequest): Promise<Manifest> {
  const topics = new Map([...before.topics, ...request.topics].map((one) => [one.topic, one]))
  const groups = new Map([...before.groups, ...request.groups].map((one) => [`${one.group} ${one.topic}`, one]))
  let manifest: Manifest = { ...before, topics: [...topics.values()] }
  ports.folder.writeManifest(manifest)
  const known: KnownSchemas = new Map(manifest.schemas.map((one) => [one.id, one]))
  for (const range of request.range) {
    for await (const { file, to } of filesFor(ports, range, known)) {
      const written = file.write(ports.folder, to)
      const schemas = [...known.values()].filter((one) => one !== null).sort((a, b) => a.id - b.id)
      manifest = { ...manifest, schemas, files: [...manifest.files, written] }
      ports.folder.writeManifest(manifest)
    }
  }
  manifest = { ...manifest, groups: [...groups.values()] }
  ports.folder.writeManifest(manifest)
  return manifest
}

/** The files of a range, each with the offset (exclusive) up to which it covers the partition. */
async function* filesFor(
  ports: ExportPorts,
  range: ExportRange,
  known: KnownSchemas,
): AsyncIterable<{ readonly file: WrittenFile; readonly to: number }> {
  const { log, onDone } = ports
  const { topic, partition, from, to } = range
  if (from >= to) return
  let file = new WrittenFile(range, from)
  let [begun, next] = [from, from]
  for await (const records of log.read(topic, partition, from)) {
    for (const record of records) {
      if (record.offset >= to) break
      await keepSchema(ports, known, record)
      file.add(record)
      onDone(record.offset + 1 - next)
      next = record.offset + 1
      if (!file.isFull) continue
      yield { file, to: next }
      file = new WrittenFile(range, next)
      begun = next
    }
  }
  onDone(to - next)
  if (begun < to) yield { file, to }
}

/**
 * Saves the schema of a value, unless it is known. Each schema is requested once. An unknown schema can only occur in a
 * dead letter, whose bytes are kept as they are.
 */
async function keepSchema(
  { folder, schemaText }: ExportPorts,
  known: KnownSchemas,
  { value, topic }: Pick<LogRecord, 'value' | 'topic'>,
): Promise<void> {
  const id = schemaIdOf(value)
  if (id === null || known.has(id)) return
  const text = await schemaText(id)
  if (text === null) {
    known.set(id, null)
    return
  }
  const path = `schemas/${id}.avsc`
  const content = Buffer.from(text)
  folder.write(path, content)
  known.set(id, { id, topic: topic.replace(/\.dead$/, ''), path, sha256: sha256Hex(content) })
}

/**
 * The offset at which the export of a partition resumes, and the number of offsets that the log has deleted since the
 * last one.
 */
export function resumeOffset(
  manifest: Manifest,
  partition: ArchivedPartition,
  { start, from }: { readonly start: number; readonly from: number | null },
): { readonly from: number; readonly lost: number } {
  const end = endOf(manifest, partition)
  if (end === null) return { from: Math.max(start, from ?? 0), lost: 0 }
  return { from: Math.max(end, start), lost: Math.max(0, start - end) }
}

/** Uncompressed size of a file. A file is held in memory while it is written or read. */
const FILE_BYTES = 32_000_000
const BLOCK_BYTES = 1_000_000

/** A file that is being written: consecutive records of one partition. */
class WrittenFile {
  private readonly of: ArchivedPartition
  private readonly from: number
  private readonly name: string
  private readonly parts: Buffer[]
  private block: ArchivedRecord[] = []
  private blockBytes = 0
  private bytes = 0
  private records = 0
  private first: number | null = null
  private last: number | null = null

  constructor(of: ArchivedPartition, from: number) {
    this.of = of
    this.from = from
    this.name = `${of.topic}/${of.partition}/${String(from).padStart(12, '0')}.avro`
    this.parts = [fileHeader(this.name)]
  }

  get isFull(): boolean {
    return this.bytes >= FILE_BYTES
  }

  add({ offset, key, value, headers, loggedAt }: LogRecord): void {
    this.block.push({ offset, timestamp: loggedAt, key, headers, value })
    const size = 100 + (value?.length ?? 0) + (key?.length ?? 0) + headerCharacters(headers)
    this.blockBytes += size
    this.bytes += size
    this.records += 1
    this.first ??= loggedAt
    this.last = loggedAt
    if (this.blockBytes >= BLOCK_BYTES) this.flush()
  }

  /** Writes the file, which covers all offsets before `to`. */
  write(folder: ArchiveFolder, to: number): ArchivedFile {
    this.flush()
    const content = Buffer.concat(this.parts)
    folder.write(this.name, content)
    return {
      ...this.of,
      path: this.name,
      ...{ from: this.from, to, records: this.records },
      ...{ first_timestamp: this.first, last_timestamp: this.last },
      ...{ bytes: content.length, sha256: sha256Hex(content) },
    }
  }

  private flush(): void {
    if (this.block.length === 0) return
    this.parts.push(fileBlock(this.name, this.block))
    this.block = []
    this.blockBytes = 0
  }
}

const headerCharacters = (headers: LogRecord['headers']): number =>
  Object.entries(headers).reduce((sum, [name, text]) => sum + name.length + text.length, 0)
