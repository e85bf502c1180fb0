import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import { z } from 'zod'
import { subject, type TopicSchema } from '../../config/schemas.ts'

/** Address and credentials of a Confluent-compatible registry. */
export interface RegistryAccess {
  readonly url: string
  readonly auth?: { readonly username: string; readonly password: string }
}

/** HTTP basic authentication (RFC 7617). */
export const authorization = ({ auth }: RegistryAccess): Readonly<Record<string, string>> =>
  auth === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }

export interface Registered {
  readonly topic: string
  readonly subject: string
  /** The schema id in front of every value of the topic. */
  readonly id: number
}

export interface RegistryAndLog extends RegistryAccess {
  /** Whether a topic has never had a record. */
  readonly isUnwritten: (topic: string) => Promise<boolean>
}

/**
 * Registers every schema under `<topic>-value` with FULL_TRANSITIVE compatibility. A registered schema keeps its id. If
 * the topic has never had a record, an incompatible registered schema is replaced.
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
        throw new Error(`the registry did not accept the schema of ${topic}`, { cause })
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

/** Deletes a subject: a soft delete, then a permanent one, as the registry API requires. */
async function forget(access: RegistryAccess, name: string): Promise<void> {
  for (const query of ['', '?permanent=true']) {
    const answer = await fetch(`${access.url.replace(/\/$/, '')}/subjects/${encodeURIComponent(name)}${query}`, {
      method: 'DELETE',
      headers: authorization(access),
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the registry did not delete the announced schema of ${name} (${answer.status})`)
  }
}

const Answer = z.object({ schema: z.string() })

/** The schema text of an id; `null` if the registry does not know it. Throws if the registry is unavailable. */
export async function schemaText(access: RegistryAccess, id: number): Promise<string | null> {
  const response = await fetch(`${access.url.replace(/\/$/, '')}/schemas/ids/${id}`, {
    headers: authorization(access),
  })
  if (response.status === 404) {
    await response.arrayBuffer()
    return null
  }
  if (!response.ok) throw new Error(`the registry did not return schema ${id} (${response.status})`)
  return Answer.parse(await response.json()).schema
}
