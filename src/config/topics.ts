import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const Duration = z.union([z.literal('unlimited'), z.string().regex(/^[1-9]\d*[hd]$/)])

const names = z.array(z.string().min(1)).min(1)

/** `topics/<topic>.yaml`: the facts about a topic that an operator needs. */
export const TopicFile = z.strictObject({
  purpose: z.string().min(1),
  key: z.string().min(1),
  partitions: z.int().min(1),
  'partitions-production': z.int().min(1),
  /** `keep`: never deleted; `compact`: keeps the newest record of each key; `delete`: deleted after `retention`. */
  cleanup: z.enum(['keep', 'compact', 'delete']),
  retention: Duration,
  /** Only for compacted topics: minimum time before a replaced record is removed. */
  'compact-after': Duration.optional(),
  'max-message-bytes': z.int().min(1).optional(),
  /** Retention of `<topic>.dead`; omitted if no consumer can reject a record. */
  'dead-letters': Duration.optional(),
  'written-by': names,
  'read-by': z.array(z.string().min(1)),
})
export type TopicFile = z.infer<typeof TopicFile>

/** Reads the topic files of a folder, by topic name. Throws one error that names the file and every invalid line. */
export function readTopicFiles(folder: string): ReadonlyMap<string, TopicFile> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
  return new Map(files.sort().map((file) => [file.slice(0, -'.yaml'.length), readTopicFile(join(folder, file))]))
}

function readTopicFile(path: string): TopicFile {
  const parsed = TopicFile.safeParse(parse(readFileSync(path, 'utf8')))
  if (!parsed.success) throw new Error(`${path}\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** Topic configuration by name; values as the broker writes them. */
export type TopicConfig = Readonly<Record<string, string>>

export interface TopicSpec {
  readonly name: string
  readonly partitions: number
  readonly config: TopicConfig
}

/** `config` holds the topic's own overrides, not the broker's defaults. */
export type ExistingTopic = TopicSpec

/** More than any stage could use; bounds what a wrong number creates. */
const MAX_PARTITIONS = 1_000

export const topicPartitions = z.union([
  z.enum(['one', 'production']),
  z.coerce.number().int().min(2).max(MAX_PARTITIONS),
])

/** The end of the names of all topics of a generation. It must not look like a part of a topic's name. */
export const topicSuffix = z
  .string()
  .regex(
    /^(|\.(?!dead$|next$|memory$)[a-z][a-z0-9-]*)$/,
    'expected a dot, then a letter and letters, digits or hyphens',
  )

/**
 * `one` partition makes runs reproducible byte for byte; `production` uses each topic's production number. A number
 * replaces it in topics that have several partitions in production.
 */
export type Partitions = z.output<typeof topicPartitions>

/** All topics defined by the files, including dead letters, sorted by name. */
export function topicSpecs(files: ReadonlyMap<string, TopicFile>, partitions: Partitions): readonly TopicSpec[] {
  return [...files]
    .flatMap(([name, file]) => [expected(name, file, partitions), ...deadLetters(name, file, partitions)])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const expected = (name: string, file: TopicFile, partitions: Partitions): TopicSpec => ({
  name,
  partitions: partitionsOf(file, partitions),
  config: {
    ...COMMON_CONFIG,
    'compression.type': compressionOf(file),
    'cleanup.policy': file.cleanup === 'compact' ? 'compact' : 'delete',
    'retention.ms': retentionMs(file.retention),
    ...(file.cleanup === 'compact' ? compaction(file) : {}),
    ...maxMessageBytes(file),
  },
})

function partitionsOf(file: TopicFile, partitions: Partitions): number {
  if (partitions === 'one') return file.partitions
  const production = file['partitions-production']
  return partitions === 'production' || production === 1 ? production : partitions
}

/** Dead letters keep the original bytes and add headers, so they may be larger than the records of their topic. */
const HEADER_ROOM = 1_048_576
/** `message.max.bytes` of our brokers, which applies if a topic sets no limit. Kafka's default is lower. */
const BROKER_MAX_BYTES = 8_388_608

function deadLetters(name: string, file: TopicFile, partitions: Partitions): readonly TopicSpec[] {
  const retention = file['dead-letters']
  if (retention === undefined) return []
  const { partitions: count } = expected(name, file, partitions)
  const bytes = file['max-message-bytes'] ?? BROKER_MAX_BYTES
  const config = {
    ...COMMON_CONFIG,
    'compression.type': compressionOf(file),
    'cleanup.policy': 'delete',
    'retention.ms': retentionMs(retention),
  }
  return [
    {
      name: `${name}.dead`,
      partitions: count,
      config: { ...config, 'max.message.bytes': String(bytes + HEADER_ROOM) },
    },
  ]
}

/** Configuration of every topic: the timestamp of a record is when the log received it, never the publication date. */
const COMMON_CONFIG: TopicConfig = { 'message.timestamp.type': 'LogAppendTime' }

/**
 * Topics that only the service writes are compressed. Topics that others write, and their dead letters, are not: the
 * broker decompresses what they send, so its size limit bounds what our processes must hold in memory.
 */
const compressionOf = (file: TopicFile): string => (file['written-by'].includes('producers') ? 'uncompressed' : 'zstd')

/**
 * For how long a reader of a compacted topic finds out that an entry was deleted. Kafka's default, set here because a broker
 * may have less: a local copy of a changelog is used after up to 20 hours without reading (`src/state/checkpoint.ts`).
 */
const DELETIONS_KEPT = '24h'

function compaction({ 'compact-after': after }: TopicFile): TopicConfig {
  const lag: TopicConfig = after === undefined ? {} : { 'min.compaction.lag.ms': retentionMs(after) }
  return { ...lag, 'delete.retention.ms': retentionMs(DELETIONS_KEPT) }
}

function maxMessageBytes({ 'max-message-bytes': bytes }: TopicFile): TopicConfig {
  return bytes === undefined ? {} : { 'max.message.bytes': String(bytes) }
}

function retentionMs(duration: string): string {
  if (duration === 'unlimited') return '-1'
  const hours = Number.parseInt(duration, 10) * (duration.endsWith('d') ? 24 : 1)
  return String(hours * 3_600_000)
}

export interface TopicsDifference {
  readonly entry: string
  readonly from: string | null
  readonly to: string
}

export type TopicChange =
  | { readonly kind: 'create'; readonly topic: TopicSpec }
  /** `config` is complete, because the broker replaces all overrides at once; it includes those set by an operator. */
  | {
      readonly kind: 'configure'
      readonly name: string
      readonly config: TopicConfig
      readonly differences: readonly TopicsDifference[]
    }
  /** Not applied automatically: a different number of partitions maps keys to other partitions. */
  | { readonly kind: 'conflict'; readonly name: string; readonly partitions: number; readonly expected: number }

/** The changes needed so that the topics match the files; empty if they do. Unknown topics are not changed. */
export function planTopics(specs: readonly TopicSpec[], existing: readonly ExistingTopic[]): readonly TopicChange[] {
  const byName = new Map(existing.map((topic) => [topic.name, topic]))
  return specs.flatMap((topic) => {
    const found = byName.get(topic.name)
    return found === undefined ? [{ kind: 'create', topic } as const] : adapt(topic, found)
  })
}

function adapt(topic: TopicSpec, found: ExistingTopic): readonly TopicChange[] {
  const { name, partitions } = found
  if (partitions !== topic.partitions) return [{ kind: 'conflict', name, partitions, expected: topic.partitions }]

  const differences = Object.entries(topic.config)
    .map(([entry, to]) => ({ entry, from: found.config[entry] ?? null, to }))
    .filter(({ from, to }) => from !== to)
  return differences.length === 0
    ? []
    : [{ kind: 'configure', name, config: { ...found.config, ...topic.config }, differences }]
}
