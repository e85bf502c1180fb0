import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import { subject, type TopicSchema } from '../../config/schemas.ts'
import { authorization, type RegistryAccess } from './access.ts'

export interface Registered {
  readonly topic: string
  readonly subject: string
  /** The number that stands in front of every value of the topic. */
  readonly id: number
}

export interface RegistryAndLog extends RegistryAccess {
  /** Whether a topic never held a record. */
  readonly isUnwritten: (topic: string) => Promise<boolean>
}

/**
 * Makes every schema known under `<topic>-value`, FULL_TRANSITIVE; one that is known keeps its id. Where no record was ever
 * written, a schema that was only announced binds nobody: one that is another altogether takes its place.
 */
export async function registerSchemas(
  { isUnwritten, ...access }: RegistryAndLog,
  schemas: readonly TopicSchema[],
): Promise<readonly Registered[]> {
  const { url: host, auth } = access
  const registry = new SchemaRegistry({ host, retry: { retries: 8 }, ...(auth === undefined ? {} : { auth }) })
  const done: Registered[] = []
  for (const { topic, text } of schemas) {
    const options = { subject: subject(topic), compatibility: COMPATIBILITY.FULL_TRANSITIVE }
    const register = () => registry.register({ type: SchemaType.AVRO, schema: text }, options)
    const { id } = await register().catch(async (cause: unknown) => {
      if (!isIncompatible(cause) || !(await isUnwritten(topic))) {
        throw new Error(`the registry did not take the schema of ${topic}`, { cause })
      }
      await forget(access, options.subject)
      return register()
    })
    done.push({ topic, subject: options.subject, id })
  }
  return done
}

const isIncompatible = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'status' in cause && cause.status === 409

/** First out of sight, then for good: the protocol wants both. */
async function forget(access: RegistryAccess, name: string): Promise<void> {
  for (const query of ['', '?permanent=true']) {
    const answer = await fetch(`${access.url.replace(/\/$/, '')}/subjects/${encodeURIComponent(name)}${query}`, {
      method: 'DELETE',
      headers: authorization(access),
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the registry did not forget the announced schema of ${name} (${answer.status})`)
  }
}
