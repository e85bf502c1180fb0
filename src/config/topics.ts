import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const Duration = z.union([z.literal('unlimited'), z.string().regex(/^[1-9]\d*[hd]$/)])

const names = z.array(z.string().min(1)).min(1)

/** `topics/<topic>.yaml`: what an operator asks at night. */
export const TopicFile = z.strictObject({
  purpose: z.string().min(1),
  key: z.string().min(1),
  partitions: z.int().min(1),
  'partitions-production': z.int().min(1),
  /** `keep`: never deleted; `compact`: the newest record of a key; `delete`: after `retention`. */
  cleanup: z.enum(['keep', 'compact', 'delete']),
  retention: Duration,
  /** Of a compacted topic: what a newer record of its key has replaced is there at least so long. */
  'compact-after': Duration.optional(),
  'max-message-bytes': z.int().min(1).optional(),
  /** How long `<topic>.dead` keeps what its readers refused; absent where nobody may refuse. */
  'dead-letters': Duration.optional(),
  'written-by': names,
  'read-by': z.array(z.string().min(1)),
})
export type TopicFile = z.infer<typeof TopicFile>

/** Topic name to its file, of a folder. Throws one message that names the file and every wrong line of it. */
export function readTopicFiles(folder: string): ReadonlyMap<string, TopicFile> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
  return new Map(files.sort().map((file) => [file.slice(0, -'.yaml'.length), readTopicFile(join(folder, file))]))
}

function readTopicFile(path: string): TopicFile {
  const parsed = TopicFile.safeParse(parse(readFileSync(path, 'utf8')))
  if (!parsed.success) throw new Error(`${path}\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** Names of configuration entries to values, as the broker writes them. */
export type TopicConfig = Readonly<Record<string, string>>

export interface TopicSpec {
  readonly name: string
  readonly partitions: number
  readonly config: TopicConfig
}

/** `config` holds the topic's own overrides, not the broker's defaults. */
export type ExistingTopic = TopicSpec

/** One partition (a run is reproducible to the byte), or the production number of each topic. */
export type Partitions = 'one' | 'production'

/** Every topic the files ask for, dead letters included, sorted by name. */
export function topicSpecs(files: ReadonlyMap<string, TopicFile>, partitions: Partitions): readonly TopicSpec[] {
  return [...files]
    .flatMap(([name, file]) => [expected(name, file, partitions), ...deadLetters(name, file, partitions)])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const expected = (name: string, file: TopicFile, partitions: Partitions): TopicSpec => ({
  name,
  partitions: partitions === 'production' ? file['partitions-production'] : file.partitions,
  config: {
    ...AS_WRITTEN,
    'cleanup.policy': file.cleanup === 'compact' ? 'compact' : 'delete',
    'retention.ms': retentionMs(file.retention),
    ...compactionLag(file),
    ...maxMessageBytes(file),
  },
})

/** Dead letters carry the bytes untouched and their story in the headers, so they may be larger than their topic's. */
const HEADER_ROOM = 1_048_576
/** What our brokers take where the topic says nothing: `message.max.bytes`; another broker's default is less. */
const BROKER_MAX_BYTES = 8_388_608

function deadLetters(name: string, file: TopicFile, partitions: Partitions): readonly TopicSpec[] {
  const kept = file['dead-letters']
  if (kept === undefined) return []
  const { partitions: count } = expected(name, file, partitions)
  const bytes = file['max-message-bytes'] ?? BROKER_MAX_BYTES
  const config = { ...AS_WRITTEN, 'cleanup.policy': 'delete', 'retention.ms': retentionMs(kept) }
  return [
    {
      name: `${name}.dead`,
      partitions: count,
      config: { ...config, 'max.message.bytes': String(bytes + HEADER_ROOM) },
    },
  ]
}

/** What the broker does to every record it takes. */
const AS_WRITTEN: TopicConfig = {
  // a record's time is when the log took it, never the publication date
  'message.timestamp.type': 'LogAppendTime',
  // a producer may use any codec the broker knows; it unpacks, so that readers need none and sizes are true
  'compression.type': 'uncompressed',
}

function compactionLag({ 'compact-after': after }: TopicFile): TopicConfig {
  return after === undefined ? {} : { 'min.compaction.lag.ms': retentionMs(after) }
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
  /** `config` is the full set to send: the broker replaces all overrides at once, an operator's own ones stay. */
  | {
      readonly kind: 'configure'
      readonly name: string
      readonly config: TopicConfig
      readonly differences: readonly TopicsDifference[]
    }
  /** Never done by itself: another number of partitions sends keys elsewhere. */
  | { readonly kind: 'conflict'; readonly name: string; readonly partitions: number; readonly expected: number }

/** What is to be done so that the log has what the files ask for; empty when it has. Unknown topics are left alone. */
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
