import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { avroType } from '../../events/avro.ts'
import { sha256 } from '../../events/ids.ts'
import type { ArchivedRecord } from '../../ports/restorer.ts'
import { AvroReader } from './avro-reader.ts'
import { containerBlock, type ContainerBlock, containerHeader, readContainer } from './container.ts'

const doc = {
  LogRecord: 'A record of a Kafka topic, as stored in the log; the manifest has its topic and partition.',
  offset: 'Offset in the partition it was exported from. Gaps are transaction markers and compacted records.',
  timestamp: 'When the log received it.',
  key: 'Its key; null if it has none.',
  headers: 'Its headers as text; the last value of a repeated header.',
  value: 'The original bytes (0x00, schema id, Avro; the schema is schemas/<id>.avsc); null for a tombstone.',
}

/** The schema of all files of an archive. */
export const ARCHIVED_SCHEMA = JSON.stringify({
  type: 'record',
  name: 'LogRecord',
  namespace: 'story.archive',
  doc: doc.LogRecord,
  fields: [
    { name: 'offset', type: 'long', doc: doc.offset },
    { name: 'timestamp', type: { type: 'long', logicalType: 'timestamp-millis' }, doc: doc.timestamp },
    { name: 'key', type: ['null', 'string'], doc: doc.key },
    { name: 'headers', type: { type: 'map', values: 'string' }, doc: doc.headers },
    { name: 'value', type: ['null', 'bytes'], doc: doc.value },
  ],
})

const type = avroType(ARCHIVED_SCHEMA)

/** The header of the file with this name. It is deterministic: the same name and records produce the same bytes. */
export const fileHeader = (name: string): Buffer => containerHeader(ARCHIVED_SCHEMA, syncOf(name))

export const fileBlock = (name: string, records: readonly ArchivedRecord[]): Buffer =>
  containerBlock(
    records.map((record) => type.toBuffer(record)),
    syncOf(name),
  )

const syncOf = (name: string): Buffer => sha256(name).subarray(0, 16)

/** The records of a file, block by block. Throws if the file is damaged, too large, or not part of an archive. */
export function* recordsOfFile(file: Buffer): Iterable<readonly ArchivedRecord[]> {
  const { schema, blocks } = readContainer(file)
  if (!isArchiveSchema(schema)) throw new Error('not an Avro file of log records')
  for (const block of blocks) yield recordsOf(block)
}

/** Maximum number of headers of all records in a block; records of this project have about ten each. */
const MAX_BLOCK_HEADERS = 1_000_000

function recordsOf({ count, data }: ContainerBlock): readonly ArchivedRecord[] {
  const reader = new AvroReader(data, { maxEntries: MAX_BLOCK_HEADERS })
  const records: ArchivedRecord[] = []
  while (records.length < count) {
    records.push({
      offset: reader.long(),
      timestamp: reader.long(),
      key: reader.nullable(() => reader.string()),
      headers: reader.map(() => reader.string()),
      value: reader.nullable(() => reader.sized()),
    })
  }
  if (!reader.isAtEnd) throw new Error(`a block of ${count} records has extra bytes`)
  return records
}

/** Names and types, which determine how bytes are decoded. Descriptions may differ between versions. */
const Shape = z.object({
  type: z.literal('record'),
  name: z.string(),
  namespace: z.string(),
  fields: z.array(z.object({ name: z.string(), type: z.unknown() })),
})
const archiveShape = Shape.parse(JSON.parse(ARCHIVED_SCHEMA))
const MAX_SCHEMA_CHARACTERS = 100_000

function isArchiveSchema(schema: string): boolean {
  if (schema.length > MAX_SCHEMA_CHARACTERS) return false
  try {
    return isDeepStrictEqual(Shape.parse(JSON.parse(schema)), archiveShape)
  } catch {
    return false // not JSON, or not a record
  }
}

const HEADER_BYTES = 5

/** The schema id of a framed value; `null` if it has none. */
export const schemaIdOf = (value: Buffer | null): number | null =>
  value === null || value.length < HEADER_BYTES || value[0] !== 0 ? null : value.readUInt32BE(1)

/** Replaces the schema id with the one from this registry. An id that is not in the map stays as it is. */
export function withSchemaId(value: Buffer | null, ids: ReadonlyMap<number, number>): Buffer | null {
  const id = schemaIdOf(value)
  const newId = id === null ? undefined : ids.get(id)
  if (value === null || newId === undefined || newId === id) return value
  const copy = Buffer.from(value)
  copy.writeUInt32BE(newId, 1)
  return copy
}
