import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import { subject, type TopicSchema } from '../../schemas.ts'

export interface Registered {
  readonly topic: string
  readonly subject: string
  /** The number that stands in front of every value of the topic. */
  readonly id: number
}

export interface RegistryAndLog {
  readonly url: string
  /** Whether a topic never held a record. */
  readonly isUnwritten: (topic: string) => Promise<boolean>
}

/**
 * Makes every schema known under `<topic>-value`, FULL_TRANSITIVE; one that is known keeps its id. Where no record was ever
 * written, a schema that was only announced binds nobody: one that is another altogether takes its place.
 */
export async function registerSchemas(
  { url, isUnwritten }: RegistryAndLog,
  schemas: readonly TopicSchema[],
): Promise<readonly Registered[]> {
  const registry = new SchemaRegistry({ host: url, retry: { retries: 8 } })
  const done: Registered[] = []
  for (const { topic, text } of schemas) {
    const options = { subject: subject(topic), compatibility: COMPATIBILITY.FULL_TRANSITIVE }
    const register = async () => await registry.register({ type: SchemaType.AVRO, schema: text }, options)
    const { id } = await register().catch(async (cause: unknown) => {
      if (!isIncompatible(cause) || !(await isUnwritten(topic))) {
        throw new Error(`the registry did not take the schema of ${topic}`, { cause })
      }
      await forget(url, options.subject)
      return await register()
    })
    done.push({ topic, subject: options.subject, id })
  }
  return done
}

const isIncompatible = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'status' in cause && cause.status === 409

/** First out of sight, then for good: the protocol wants both. */
async function forget(url: string, name: string): Promise<void> {
  for (const query of ['', '?permanent=true']) {
    const answer = await fetch(`${url.replace(/\/$/, '')}/subjects/${encodeURIComponent(name)}${query}`, {
      method: 'DELETE',
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the registry did not forget the announced schema of ${name} (${answer.status})`)
  }
}
