import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import avsc from 'avsc'

/** The text of `schemas/<topic>.avsc`, which defines the events of a topic. */
export const schemaText = (topic: string): string =>
  readFileSync(fileURLToPath(new URL(`../../schemas/${topic}.avsc`, import.meta.url)), 'utf8')

/**
 * Our own schema: times are plain numbers (no logical types), a union is its bare value (`null` or the value), bytes
 * are Buffers. Throws at startup if the branches of a union cannot be distinguished.
 */
export const avroType = (schema: string): avsc.Type => avsc.Type.forSchema(parsed(schema), { wrapUnions: 'never' })

/** A writer's registered schema, which is only resolved to ours. */
export const writerType = (schema: string): avsc.Type => avsc.Type.forSchema(parsed(schema))

function parsed(schema: string): avsc.Schema {
  const value: unknown = JSON.parse(schema)
  if (!isSchema(value)) throw new Error('a schema is an object, a list or a name')
  return value
}

const isSchema = (value: unknown): value is avsc.Schema =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
