import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectPath } from '../../config/project-path.ts'
import { readTopicFiles, topicSpecs, type TopicFile, type TopicSpec } from '../../config/topics.ts'

/**
 * Who uses a channel: `producers` may write to it, `readers` may follow it, `internal` holds the service's own state.
 */
export type Audience = 'producers' | 'readers' | 'internal'

const FROM_PRODUCERS: ReadonlySet<string> = new Set(['articles.ingested', 'discourse.posts'])
const INTERNAL = /\.memory$|^(keys|webhooks)\./

export const audienceOf = (topic: string): Audience =>
  FROM_PRODUCERS.has(topic) ? 'producers' : INTERNAL.test(topic) ? 'internal' : 'readers'

const AvroRecord = z.looseObject({ name: z.string(), doc: z.string(), fields: z.array(z.unknown()) })

/** A topic with its record type. */
interface DescribedTopic {
  readonly name: string
  readonly file: TopicFile
  /** The production settings. */
  readonly spec: TopicSpec
  readonly record: z.output<typeof AvroRecord>
}

const INFO = `The log is the truth of the service: everything else is a fold over these topics. Records are Avro in the \
Confluent wire format: one zero byte, the schema id (4 bytes, big-endian), the payload. Schemas are registered as \
\`<topic>-value\` and stay FULL_TRANSITIVE compatible: a field is added with a default, and none changes its meaning.

**Producers** may write to \`articles.ingested\` and \`discourse.posts\` (docs/producers.md). **Readers** may follow the \
rest. Channels marked \`x-internal\` are how the service remembers; they change without notice.

Whoever may read a topic reads all its namespaces: give access by the broker's rules. Callers of the HTTP API have the \
same news of their own namespace alone, as \`GET /v1/events\`, \`GET /v1/changes\` and webhooks.

Delivery is at least once; \`event_id\` is the same in a repeat. A record's time is when the log took it, never a \
publication date. What a reader of the service refuses lies in \`<topic>.dead\`, bytes untouched.`

/** The AsyncAPI 3.1 document of the topics, generated from the same definitions that create them. */
export function asyncDocument(version: string) {
  const topics = describedTopics()
  return {
    asyncapi: '3.1.0',
    id: 'urn:story-intelligence-service:topics',
    info: {
      title: 'Story Intelligence Service: topics',
      version,
      description: INFO,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [
        { name: 'producers', description: 'Anybody with access may write here.' },
        { name: 'readers', description: 'Anybody with access may follow it.' },
        { name: 'internal', description: 'How the service remembers: not for others.' },
      ],
    },
    defaultContentType: 'avro/binary',
    servers: {
      kafka: {
        host: 'localhost:19092',
        protocol: 'kafka',
        description: 'Any Apache Kafka 4; `make run` starts one here.',
        bindings: {
          kafka: {
            schemaRegistryUrl: 'http://localhost:8081/apis/ccompat/v7',
            schemaRegistryVendor: 'confluent',
            bindingVersion: '0.5.0',
          },
        },
      },
    },
    channels: Object.fromEntries(topics.map((topic) => [topic.name, channel(topic)])),
    operations: Object.fromEntries(topics.flatMap(operations)),
    components: { messages: Object.fromEntries(topics.map((topic) => [topic.record.name, message(topic)])) },
  }
}

export type AsyncDocument = ReturnType<typeof asyncDocument>

function describedTopics(): readonly DescribedTopic[] {
  const files = readTopicFiles(projectPath('topics'))
  const spec = new Map(topicSpecs(files, 'production').map((topic) => [topic.name, topic]))
  return [...files].flatMap(([name, file]) => {
    const topic = spec.get(name)
    if (topic === undefined) throw new Error(`no topic is wanted for topics/${name}.yaml`)
    const schema: unknown = JSON.parse(readFileSync(projectPath(`schemas/${name}.avsc`), 'utf8'))
    return [{ name, file, spec: topic, record: AvroRecord.parse(schema) }]
  })
}

function channel({ name, file, spec, record }: DescribedTopic) {
  const audience = audienceOf(name)
  return {
    address: name,
    title: name,
    summary: file.purpose,
    description: `Key: ${file.key}. ${KEPT[file.cleanup](file)}${deadLetters(name, file)}`,
    messages: { [record.name]: { $ref: `#/components/messages/${record.name}` } },
    servers: [{ $ref: '#/servers/kafka' }],
    tags: [{ name: audience }],
    'x-audience': audience,
    ...(audience === 'internal' ? { 'x-internal': true } : {}),
    bindings: {
      kafka: {
        topic: name,
        partitions: spec.partitions,
        topicConfiguration: topicConfiguration(spec),
        bindingVersion: '0.5.0',
      },
    },
  }
}

const KEPT = {
  keep: () => 'Kept for good by default.',
  compact: () => 'Compacted: the newest record of a key holds.',
  delete: ({ retention }: TopicFile) => `Kept for ${retention}.`,
} as const

const deadLetters = (name: string, file: TopicFile): string =>
  file['dead-letters'] === undefined
    ? ''
    : ` What a reader refuses lies in \`${name}.dead\` for ${file['dead-letters']}.`

function topicConfiguration({ config }: TopicSpec) {
  const number = (key: string) => (config[key] === undefined ? {} : { [key]: Number(config[key]) })
  return { 'cleanup.policy': [config['cleanup.policy']], ...number('retention.ms'), ...number('max.message.bytes') }
}

const message = ({ name, file, record }: DescribedTopic) => ({
  name: record.name,
  title: record.name,
  summary: record.doc,
  contentType: 'avro/binary',
  payload: { schemaFormat: 'application/vnd.apache.avro+json;version=1.9.0', schema: record },
  bindings: {
    kafka: {
      key: { type: 'string', description: file.key },
      schemaIdLocation: 'payload',
      schemaIdPayloadEncoding: 'confluent',
      schemaLookupStrategy: 'TopicIdStrategy',
      bindingVersion: '0.5.0',
    },
  },
  'x-schema-subject': `${name}-value`,
})

/** Readers that read the whole topic at startup and then follow it. */
const WITHOUT_GROUP: ReadonlySet<string> = new Set(['api', 'connectors'])

/** One operation for each part that writes or reads the topic. A reader's name is its consumer group. */
function operations({ name, file, record }: DescribedTopic): readonly (readonly [string, object])[] {
  const shared = {
    channel: { $ref: `#/channels/${name}` },
    messages: [{ $ref: `#/channels/${name}/messages/${record.name}` }],
  }
  const idOf = (part: string, verb: string): string => `${part}.${verb}.${name}`.replace(/[^a-zA-Z0-9]+/g, '_')
  const writes = file['written-by'].map((part) => {
    const summary = `${part} writes ${name}`
    return [idOf(part, 'sends'), { action: 'send', ...shared, summary, 'x-part': part }] as const
  })
  const reads = file['read-by'].map((part) => {
    const summary = `${part} reads ${name}`
    const group = { kafka: { groupId: { type: 'string', enum: [part] }, bindingVersion: '0.5.0' } }
    const bindings = WITHOUT_GROUP.has(part) ? {} : { bindings: group }
    return [idOf(part, 'receives'), { action: 'receive', ...shared, summary, 'x-part': part, ...bindings }] as const
  })
  return [...writes, ...reads]
}
