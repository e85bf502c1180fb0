/**
 * Writes the golden log of every released schema that has none yet: `npx tsx test/golden/write.ts`. What is there is never
 * written again: it stands for a log that somebody has.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type avsc from 'avsc'
import { framed } from '../../src/adapters/wire-format.ts'
import { fileBlock, fileHeader } from '../../src/operations/archive/record.ts'
import { avroType, schemaText } from '../../src/events/avro.ts'
import { A_DAY } from '../builders/articles.ts'
import { wireValues } from '../parity/wire-values.ts'
import { isWritten, released, type Golden } from './files.ts'
import { keyOf } from './keys.ts'

for (const golden of released.filter((one) => !isWritten(one))) {
  mkdirSync(dirname(golden.path), { recursive: true })
  writeFileSync(golden.path, logOf(golden))
  console.log(golden.path)
}

/** Each value of the topic as the version would have had it: as it is, and with everything left out that may be. */
function logOf({ topic, version, schema }: Golden): Buffer {
  const [then, now] = [avroType(schema), avroType(schemaText(topic))]
  const [reading, readNow] = [then.createResolver(now), now.createResolver(then)]
  const values = (wireValues[topic] ?? []).map((value): unknown => then.fromBuffer(now.toBuffer(value), reading))
  const events = values.flatMap((value) => [value, leftOut(then, value)])
  const records = events.map((event, offset) => {
    const avro = then.toBuffer(event)
    const key = keyOf(topic, now.fromBuffer(avro, readNow))
    return { offset, timestamp: A_DAY + offset, key, headers: {}, value: framed(version, avro) }
  })
  const name = `${topic}/${version}`
  return Buffer.concat([fileHeader(name), fileBlock(name, records)])
}

/** What a producer may leave out has the schema's default. */
function leftOut(type: avsc.Type, value: unknown): unknown {
  const record = recordOf(type, value)
  if (record === null) return value
  const fields = record.fields.map((field) => {
    const of = (value as Readonly<Record<string, unknown>>)[field.name]
    if (recordOf(field.type, of) !== null) return [field.name, leftOut(field.type, of)]
    const byDefault = field.defaultValue()
    return [field.name, byDefault === undefined ? of : byDefault]
  })
  return Object.fromEntries(fields)
}

interface RecordType {
  readonly fields: readonly { readonly name: string; readonly type: avsc.Type; defaultValue(): unknown }[]
}

/** The record a value is one of, as it is or in a union; null: it is something else. */
function recordOf(type: avsc.Type, value: unknown): RecordType | null {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return null
  const branches = 'types' in type ? (type.types as readonly avsc.Type[]) : [type]
  const found: object | undefined = branches.find((one) => 'fields' in one)
  return found === undefined ? null : (found as RecordType)
}
