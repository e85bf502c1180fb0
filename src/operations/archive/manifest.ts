import type { ArchivedPartition } from '../../ports/restorer.ts'
import { z } from 'zod'

const FORMAT = 'story-archive/1'
/** More topics than the project has. Bounds the memory that an untrusted manifest can use. */
const MAX_TOPICS = 1_000
const MAX_PARTITIONS = 1_000
const offset = z.int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** A path must not leave the folder of the archive. */
const path = z.string().regex(/^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/)

const File = z.object({
  path,
  topic: z.string().min(1),
  partition: offset,
  /** The offsets that the file covers: `from` inclusive, `to` exclusive. Missing offsets have no record. */
  from: offset,
  to: offset,
  records: offset,
  /** Milliseconds since 1970; `null` if the file has no records. */
  first_timestamp: z.number().nullable(),
  last_timestamp: z.number().nullable(),
  bytes: offset,
  sha256,
})
/** A file of consecutive records of one partition. */
export type ArchivedFile = z.infer<typeof File>

const Schema = z.object({ id: offset, topic: z.string().min(1), path, sha256 })
/** A schema used by values of the archive, and the topic under whose subject it is registered. */
export type ArchivedSchema = z.infer<typeof Schema>

const Group = z.object({ group: z.string(), topic: z.string(), offsets: z.array(offset.nullable()) })
/** The committed offsets of a group by partition, read just before the records. */
export type ArchivedGroup = z.infer<typeof Group>

const Manifest = z.object({
  format: z.literal(FORMAT),
  topics: z
    .array(z.object({ topic: z.string().min(1), partitions: z.int().min(1).max(MAX_PARTITIONS) }))
    .max(MAX_TOPICS),
  files: z.array(File),
  schemas: z.array(Schema),
  groups: z.array(Group),
})
/** The contents of an archive. A file that is not listed does not belong to it. */
export type Manifest = z.infer<typeof Manifest>

export const emptyManifest: Manifest = { format: FORMAT, topics: [], files: [], schemas: [], groups: [] }

/** Throws if the text is not a valid manifest. */
export function parseManifest(text: string): Manifest {
  const parsed = Manifest.safeParse(parsedJson(text))
  if (!parsed.success) throw new Error(`not a valid archive manifest\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON, so not a manifest
  }
}

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 1)}\n`

/** The files of a partition, in log order. */
export const filesOf = ({ files }: Manifest, { topic, partition }: ArchivedPartition): readonly ArchivedFile[] =>
  files.filter((file) => file.topic === topic && file.partition === partition).sort((a, b) => a.from - b.from)

/** The end offset of an archived partition, where the next export resumes; `null` if the archive has none of it. */
export const endOf = (manifest: Manifest, partition: ArchivedPartition): number | null =>
  filesOf(manifest, partition).at(-1)?.to ?? null

export const partitionsOf = ({ topics }: Manifest): readonly ArchivedPartition[] =>
  topics.flatMap(({ topic, partitions }) =>
    Array.from({ length: partitions }, (_, partition): ArchivedPartition => ({ topic, partition })),
  )

/** Gaps in the offset ranges between the files of a partition. */
export function gapsIn(manifest: Manifest): readonly string[] {
  return partitionsOf(manifest).flatMap((partition) => {
    const files = filesOf(manifest, partition)
    return files.flatMap((file, i) => {
      const before = files[i - 1]
      if (before === undefined || before.to === file.from) return []
      const { topic, partition: number } = partition
      return [`${topic} ${number}: ${before.path} ends at ${before.to}, ${file.path} begins at ${file.from}`]
    })
  })
}
