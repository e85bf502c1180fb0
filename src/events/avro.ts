import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import avsc from 'avsc'

/** The text of `schemas/<topic>.avsc`, the contract of a topic. */
export const schemaText = (topic: string): string =>
  readFileSync(fileURLToPath(new URL(`../../schemas/${topic}.avsc`, import.meta.url)), 'utf8')

/**
 * Our side of a contract: times are plain numbers (no logical types), a union is its bare value (`null` or the thing
 * itself), bytes are Buffers. A union whose branches could not be distinguished is refused here, at the start.
 */
export const avroType = (schema: string): avsc.Type => avsc.Type.forSchema(parsed(schema), { wrapUnions: 'never' })

/** The other side's contract, as a writer registered it: only ever resolved into ours. */
export const writerType = (schema: string): avsc.Type => avsc.Type.forSchema(parsed(schema))

function parsed(schema: string): avsc.Schema {
  const value: unknown = JSON.parse(schema)
  if (!isSchema(value)) throw new Error('a schema is an object, a list or a name')
  return value
}

const isSchema = (value: unknown): value is avsc.Schema =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
