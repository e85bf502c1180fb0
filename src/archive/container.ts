import { deflateRawSync, inflateRawSync } from 'node:zlib'
import avsc from 'avsc'
import { avroType } from '../events/avro.ts'

/**
 * Avro object container files (Avro specification, "Object Container Files"): any Avro library reads them. A header with
 * the schema, then blocks; each block is deflated and ends with the file's sync marker.
 */
const MAGIC = Buffer.from('Obj\u0001', 'latin1')
const SYNC_BYTES = 16

const Metadata = avsc.Type.forSchema({ type: 'map', values: 'bytes' })
const Long = avsc.Type.forSchema('long')
const Bytes = avsc.Type.forSchema('bytes')

/** How a file begins. `sync`: 16 bytes that stand behind every block. */
export const containerHeader = (schema: string, sync: Buffer): Buffer =>
  Buffer.concat([
    MAGIC,
    Metadata.toBuffer({ 'avro.schema': Buffer.from(schema), 'avro.codec': Buffer.from('deflate') }),
    sync,
  ])

/** Some records, each as Avro. */
export const containerBlock = (records: readonly Buffer[], sync: Buffer): Buffer =>
  Buffer.concat([Long.toBuffer(records.length), Bytes.toBuffer(deflateRawSync(Buffer.concat(records))), sync])

/** A whole file: its schema, and its records block by block as they are read. Throws for what is no such file, or cut off. */
export interface Container {
  readonly schema: string
  readonly blocks: Iterable<readonly unknown[]>
}

export function readContainer(file: Buffer): Container {
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('this is no Avro object container file')
  const { value, offset } = taken(Metadata, file, MAGIC.length)
  const metadata = value as Readonly<Record<string, Buffer>>
  const schema = metadata['avro.schema']?.toString('utf8')
  if (schema === undefined) throw new Error('an Avro object container file without avro.schema')
  const codec = metadata['avro.codec']?.toString('utf8') ?? 'null'
  if (codec !== 'null' && codec !== 'deflate') throw new Error(`avro.codec ${codec}: only null and deflate are read`)
  const sync = file.subarray(offset, offset + SYNC_BYTES)
  return { schema, blocks: blocksOf(file, { from: offset + SYNC_BYTES, sync, type: avroType(schema), codec }) }
}

interface Reading {
  readonly from: number
  readonly sync: Buffer
  readonly type: avsc.Type
  readonly codec: 'null' | 'deflate'
}

function* blocksOf(file: Buffer, { from, sync, type, codec }: Reading): Iterable<readonly unknown[]> {
  let at = from
  while (at < file.length) {
    const count = taken(Long, file, at)
    const packed = taken(Bytes, file, count.offset)
    if (!file.subarray(packed.offset, packed.offset + SYNC_BYTES).equals(sync)) throw cutOff(at)
    const data = packed.value as Buffer
    yield recordsOf(codec === 'deflate' ? inflateRawSync(data) : data, count.value as number, type)
    at = packed.offset + SYNC_BYTES
  }
}

function recordsOf(data: Buffer, count: number, type: avsc.Type): readonly unknown[] {
  const records: unknown[] = []
  let at = 0
  while (records.length < count) {
    const { value, offset } = taken(type, data, at)
    records.push(value)
    at = offset
  }
  return records
}

/** The value at a place, and the place after it. */
function taken(type: avsc.Type, bytes: Buffer, at: number): { readonly value: unknown; readonly offset: number } {
  const found: { readonly value: unknown; readonly offset: number } = type.decode(bytes, at)
  if (found.offset < 0) throw cutOff(at)
  return found
}

const cutOff = (at: number): Error => new Error(`the file is damaged or cut off at byte ${at}`)
