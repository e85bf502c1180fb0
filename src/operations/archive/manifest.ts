import type { ArchivedPartition } from '../../ports/restorer.ts'
import { z } from 'zod'

const FORMAT = 'story-archive/1'
/** More than a project has; a manifest that says more would fill the memory before anything is read. */
const MAX_TOPICS = 1_000
const MAX_PARTITIONS = 1_000
const offset = z.int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Nothing in a manifest may name a file outside its folder. */
const path = z.string().regex(/^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/)

const File = z.object({
  path,
  topic: z.string().min(1),
  partition: offset,
  /** The offsets it covers: from the first on, before `to`; gaps in it are offsets without a record. */
  from: offset,
  to: offset,
  records: offset,
  /** Milliseconds since 1970; null: it holds no record. */
  first_timestamp: z.number().nullable(),
  last_timestamp: z.number().nullable(),
  bytes: offset,
  sha256,
})
/** One file of records: a stretch of one partition. */
export type ArchivedFile = z.infer<typeof File>

const Schema = z.object({ id: offset, topic: z.string().min(1), path, sha256 })
/** A schema that values of the archive were written in, and the topic whose subject has it. */
export type ArchivedSchema = z.infer<typeof Schema>

const Group = z.object({ group: z.string(), topic: z.string(), offsets: z.array(offset.nullable()) })
/** How far a group had read for good, by partition, just before the records were read. */
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
/** What an archive holds. A file that is not in it does not count. */
export type Manifest = z.infer<typeof Manifest>

export const emptyManifest: Manifest = { format: FORMAT, topics: [], files: [], schemas: [], groups: [] }

/** Throws a sentence for what is no manifest of ours. */
export function parseManifest(text: string): Manifest {
  const parsed = Manifest.safeParse(parsedJson(text))
  if (!parsed.success) throw new Error(`not a valid archive manifest\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON: no manifest either
  }
}

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 1)}\n`

/** The files of a partition, in the order of the log. */
export const filesOf = ({ files }: Manifest, { topic, partition }: ArchivedPartition): readonly ArchivedFile[] =>
  files.filter((file) => file.topic === topic && file.partition === partition).sort((a, b) => a.from - b.from)

/** Where the archive of a partition ends: the next export goes on here. Null: it has none of it. */
export const endOf = (manifest: Manifest, partition: ArchivedPartition): number | null =>
  filesOf(manifest, partition).at(-1)?.to ?? null

/** The partitions that an archive holds records of. */
export const partitionsOf = ({ topics }: Manifest): readonly ArchivedPartition[] =>
  topics.flatMap(({ topic, partitions }) =>
    Array.from({ length: partitions }, (_, partition): ArchivedPartition => ({ topic, partition })),
  )

/** Stretches that no file covers although there are files before and behind them. */
export function holesIn(manifest: Manifest): readonly string[] {
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
