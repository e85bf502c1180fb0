import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import { subject, type TopicSchema } from '../../schemas.ts'

export interface Registered {
  readonly topic: string
  readonly subject: string
  /** The number that stands in front of every value of the topic. */
  readonly id: number
}

/** Makes every schema known under `<topic>-value`, FULL_TRANSITIVE; one that is known keeps its id. */
export async function registerSchemas(url: string, schemas: readonly TopicSchema[]): Promise<readonly Registered[]> {
  const registry = new SchemaRegistry({ host: url, retry: { retries: 8 } })
  const done: Registered[] = []
  for (const { topic, text } of schemas) {
    const options = { subject: subject(topic), compatibility: COMPATIBILITY.FULL_TRANSITIVE }
    const { id } = await registry.register({ type: SchemaType.AVRO, schema: text }, options)
    done.push({ topic, subject: options.subject, id })
  }
  return done
}
