import type { ArchivedPartition } from '../../ports/restorer.ts'
import { endOf, type ArchivedGroup, type ArchivedSchema, type Manifest } from './manifest.ts'
import { schemaIdOf } from './schema-ids.ts'
import type { Log } from '../../ports/log.ts'
import { sha256Hex, type ArchiveFolder } from './folder.ts'
import { WrittenFile } from './written-file.ts'

export interface ExportPorts {
  readonly log: Pick<Log, 'read' | 'starts' | 'ends' | 'committed'>
  readonly folder: ArchiveFolder
  /** The text of a schema by its id; null: nobody knows it. Throws when the registry is away. */
  readonly schemaText: (id: number) => Promise<string | null>
  /** Called with the offsets that are done since it was called last. */
  readonly onDone: (offsets: number) => void
}

/** A partition and the offsets of it that are wanted: from the first on, before `to`. */
export interface ExportRange extends ArchivedPartition {
  readonly from: number
  readonly to: number
}

export interface ExportWish {
  readonly topics: readonly { readonly topic: string; readonly partitions: number }[]
  readonly range: readonly ExportRange[]
  readonly groups: readonly ArchivedGroup[]
}

/**
 * Adds what is wanted to an archive, file by file: each is in the manifest once it is written, so that an export that was
 * killed goes on behind the last one. How far groups had read is written last: before that, a restored installation reads again
 * from where they were at the export before, and finds what that leads to under the same ids. Answers the new manifest.
 */
export async function exportTo(ports: ExportPorts, before: Manifest, wish: ExportWish): Promise<Manifest> {
  const known = new Map(before.topics.map((one) => [one.topic, one]))
  for (const one of wish.topics) known.set(one.topic, one)
  const groups = new Map([...before.groups, ...wish.groups].map((one) => [`${one.group} ${one.topic}`, one]))
  let manifest: Manifest = { ...before, topics: [...known.values()] }
  ports.folder.writeManifest(manifest)
  const schemas = new Schemas(ports, manifest.schemas)
  for (const range of wish.range) {
    for await (const { file, to } of filesFor(ports, range, schemas)) {
      const written = file.write(ports.folder, to)
      manifest = { ...manifest, schemas: schemas.known, files: [...manifest.files, written] }
      ports.folder.writeManifest(manifest)
    }
  }
  manifest = { ...manifest, groups: [...groups.values()] }
  ports.folder.writeManifest(manifest)
  return manifest
}

interface Filled {
  readonly file: WrittenFile
  readonly to: number
}

async function* filesFor({ log, onDone }: ExportPorts, range: ExportRange, schemas: Schemas): AsyncIterable<Filled> {
  const { topic, partition, from, to } = range
  if (from >= to) return
  let file = new WrittenFile(range, from)
  let [begun, next] = [from, from]
  for await (const records of log.read(topic, partition, from)) {
    for (const record of records) {
      if (record.offset >= to) break
      await schemas.keep(record.value, topic)
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

/** The schemas of what is exported, each asked for once. */
class Schemas {
  private readonly ports: Pick<ExportPorts, 'folder' | 'schemaText'>
  private readonly byId: Map<number, ArchivedSchema | null>

  constructor(ports: Pick<ExportPorts, 'folder' | 'schemaText'>, known: readonly ArchivedSchema[]) {
    this.ports = ports
    this.byId = new Map(known.map((one) => [one.id, one]))
  }

  get known(): ArchivedSchema[] {
    return [...this.byId.values()].filter((one) => one !== null).sort((a, b) => a.id - b.id)
  }

  /** One that nobody knows is a dead letter's: its bytes are kept as they are. */
  async keep(value: Buffer | null, topic: string): Promise<void> {
    const id = schemaIdOf(value)
    if (id === null || this.byId.has(id)) return
    const text = await this.ports.schemaText(id)
    if (text === null) {
      this.byId.set(id, null)
      return
    }
    const path = `schemas/${id}.avsc`
    const content = Buffer.from(text)
    this.ports.folder.write(path, content)
    this.byId.set(id, { id, topic: topic.replace(/\.dead$/, ''), path, sha256: sha256Hex(content) })
  }
}

/** Where an export of a partition goes on, and a word where the log has let something go meanwhile. */
export function goesOn(
  manifest: Manifest,
  partition: ArchivedPartition,
  { start, from }: { readonly start: number; readonly from: number | null },
): { readonly from: number; readonly lost: number } {
  const end = endOf(manifest, partition)
  if (end === null) return { from: Math.max(start, from ?? 0), lost: 0 }
  return { from: Math.max(end, start), lost: Math.max(0, start - end) }
}
