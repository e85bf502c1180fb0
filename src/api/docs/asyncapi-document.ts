import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectPath } from '../../config/project-path.ts'
import { isStateTopic } from '../../events/topic.ts'
import { readTopicFiles, topicSpecs, type TopicFile, type TopicSpec } from '../../config/topics.ts'

/**
 * Who uses a channel: `producers` may write to it, `readers` may consume it, `internal` holds the service's own state.
 */
export type Audience = 'producers' | 'readers' | 'internal'

const FROM_PRODUCERS: ReadonlySet<string> = new Set(['articles.ingested', 'discourse.posts'])
const INTERNAL = /^(keys|webhooks)\./

export const audienceOf = (topic: string): Audience =>
  FROM_PRODUCERS.has(topic) ? 'producers' : isStateTopic(topic) || INTERNAL.test(topic) ? 'internal' : 'readers'

const AvroRecord = z.looseObject({ name: z.string(), doc: z.string(), fields: z.array(z.unknown()) })

/** A topic with its record type. */
interface DescribedTopic {
  readonly name: string
  readonly file: TopicFile
  /** The production settings. */
  readonly spec: TopicSpec
  readonly record: z.output<typeof AvroRecord>
}

const INFO = `These topics are the source of truth: all other state of the service is derived from them. Records are Avro in the \
Confluent wire format: one zero byte, the schema id (4 bytes, big-endian), the payload. Schemas are registered as \
\`<topic>-value\` with FULL_TRANSITIVE compatibility: new fields have defaults, and no field changes its meaning.

**Producers** may write to \`articles.ingested\` and \`discourse.posts\` (docs/producers.md). **Readers** may consume \
the rest, with a client that reads zstd. Channels marked \`x-internal\` hold the service's own state and change without notice.

A consumer of a topic reads the records of all namespaces: restrict access with the broker's ACLs. Callers of the HTTP \
API receive the changes of their own namespace only: \`GET /v1/events\`, \`GET /v1/changes\` and webhooks.

Delivery is at least once; a repeated event has the same \`event_id\`. A record's timestamp is when it was appended to \
the log, never a publication date. Records that the service rejects are in \`<topic>.dead\`, with unchanged bytes.`

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
        { name: 'producers', description: 'Clients with access may write to these topics.' },
        { name: 'readers', description: 'Clients with access may consume these topics.' },
        { name: 'internal', description: "The service's own state; not for clients." },
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
    if (topic === undefined) throw new Error(`no topic is defined by topics/${name}.yaml`)
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
    description: `Key: ${file.key}. ${RETENTION_TEXT[file.cleanup](file)}${deadLetters(name, file)}`,
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

const RETENTION_TEXT = {
  keep: () => 'Retained forever by default.',
  compact: () => 'Compacted: the newest record per key is retained.',
  delete: ({ retention }: TopicFile) => `Retained for ${retention}.`,
} as const

const deadLetters = (name: string, file: TopicFile): string =>
  file['dead-letters'] === undefined ? '' : ` Rejected records are in \`${name}.dead\` for ${file['dead-letters']}.`

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
const WITHOUT_CONSUMER_GROUP: ReadonlySet<string> = new Set(['api', 'connectors'])

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
    const bindings = WITHOUT_CONSUMER_GROUP.has(part) ? {} : { bindings: group }
    return [idOf(part, 'receives'), { action: 'receive', ...shared, summary, 'x-part': part, ...bindings }] as const
  })
  return [...writes, ...reads]
}
