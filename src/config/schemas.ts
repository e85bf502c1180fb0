import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../domain/message-of.ts'
import { avroType } from '../events/avro.ts'

/** The current `schemas/<topic>.avsc` and every released version, oldest first. */
export interface TopicSchema {
  readonly topic: string
  readonly text: string
  /** `schemas/history/<topic>/<n>.avsc`, n from 1. */
  readonly history: readonly string[]
}

/** Subject of a topic's value schema (`TopicNameStrategy`), as producers in any language expect it. */
export const subject = (topic: string): string => `${topic}-value`

export function readSchemas(folder: string): readonly TopicSchema[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.avsc'))
  return files.sort().map((file) => {
    const topic = file.slice(0, -'.avsc'.length)
    return {
      topic,
      text: readFileSync(join(folder, file), 'utf8'),
      history: readHistory(join(folder, 'history', topic)),
    }
  })
}

const readHistory = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .map((file) => Number.parseInt(file, 10))
        .sort((a, b) => a - b)
        .map((version) => readFileSync(join(folder, `${version}.avsc`), 'utf8'))
    : []

export type SchemaProblem =
  /** The current schema is not in the history; record it with `story schemas record`. */
  | { readonly kind: 'unrecorded'; readonly topic: string }
  /** The current schema and a version are not mutually readable. `version` counts from 1. */
  | { readonly kind: 'incompatible'; readonly topic: string; readonly version: number; readonly cause: string }
  | { readonly kind: 'undocumented'; readonly topic: string; readonly field: string }

/**
 * Why a schema cannot be released. FULL_TRANSITIVE compatibility: each version can read data written with any other.
 */
export function schemaProblems({ topic, text, history }: TopicSchema): readonly SchemaProblem[] {
  const now = parsed(text)
  const recorded = history.at(-1)
  const unrecorded = recorded === undefined || contract(parsed(recorded)) !== contract(now)
  return [
    ...(unrecorded ? [{ kind: 'unrecorded', topic } as const] : []),
    ...history.flatMap((old, index) =>
      incompatibilities(text, old).map(
        (cause) => ({ kind: 'incompatible', topic, version: index + 1, cause }) as const,
      ),
    ),
    ...undocumented(now).map((field) => ({ kind: 'undocumented', topic, field }) as const),
  ]
}

/** The schema without `doc`, which is not part of the contract, as text for comparison. */
const contract = (schema: unknown): string =>
  JSON.stringify(schema, (name, value: unknown) => (name === 'doc' ? undefined : value))

/** Why one of two versions cannot read what the other wrote; empty if both can. */
const incompatibilities = (now: string, old: string): readonly string[] =>
  [unreadable(now, old), unreadable(old, now)].filter((cause) => cause !== null)

function unreadable(reader: string, writer: string): string | null {
  try {
    avroType(reader).createResolver(avroType(writer))
    return null
  } catch (cause) {
    return messageOf(cause)
  }
}

const parsed = (text: string): unknown => JSON.parse(text)

const Record = z.looseObject({ type: z.literal('record'), name: z.string(), fields: z.array(z.unknown()) })
const Field = z.looseObject({ name: z.string(), doc: z.string().optional(), type: z.unknown() })

/** Records and fields without a `doc`, as `Record` or `Record.field`. */
function undocumented(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(undocumented)
  const record = Record.safeParse(schema)
  if (!record.success)
    return typeof schema === 'object' && schema !== null ? Object.values(schema).flatMap(undocumented) : []

  const { name, fields } = record.data
  const bare = fields.map((field) => Field.parse(field)).filter(({ doc }) => doc === undefined || doc === '')
  return [
    ...(record.data['doc'] === undefined ? [name] : []),
    ...bare.map((f) => `${name}.${f.name}`),
    ...fields.flatMap(undocumented),
  ]
}
