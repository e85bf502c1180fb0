import { deflateRawSync } from 'node:zlib'
import avsc from 'avsc'
import { AvroReader, inflated } from './avro-reader.ts'

/**
 * Avro object container files (Avro specification, "Object Container Files"), readable by any Avro library: a header
 * with the schema, then deflated blocks, each followed by the sync marker of the file.
 */
const MAGIC = Buffer.from('Obj\u0001', 'latin1')
const SYNC_BYTES = 16

const Metadata = avsc.Type.forSchema({ type: 'map', values: 'bytes' })
const Long = avsc.Type.forSchema('long')
const Bytes = avsc.Type.forSchema('bytes')

/** The header of a file. `sync`: the 16-byte marker that follows every block. */
export const containerHeader = (schema: string, sync: Buffer): Buffer =>
  Buffer.concat([
    MAGIC,
    Metadata.toBuffer({ 'avro.schema': Buffer.from(schema), 'avro.codec': Buffer.from('deflate') }),
    sync,
  ])

/** A block of Avro-encoded records. */
export const containerBlock = (records: readonly Buffer[], sync: Buffer): Buffer =>
  Buffer.concat([Long.toBuffer(records.length), Bytes.toBuffer(deflateRawSync(Buffer.concat(records))), sync])

/** The Avro-encoded records of a block, decompressed. */
export interface ContainerBlock {
  readonly count: number
  readonly data: Buffer
}

/** A whole file: its schema and its blocks, which are read lazily. */
export interface Container {
  readonly schema: string
  readonly blocks: Iterable<ContainerBlock>
}

/** Written blocks have 1 MB, or one larger record: the log accepts records of up to 8 MiB. */
export const MAX_BLOCK_BYTES = 64 * 1024 * 1024
/** Each record counts as at least 100 bytes, so written blocks have at most 10,000 records. */
export const MAX_BLOCK_RECORDS = 100_000
const MAX_METADATA_ENTRIES = 1_000

/** Throws if the file is not a container, is truncated, or has a block that is too large when decompressed. */
export function readContainer(file: Buffer): Container {
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('not an Avro object container file')
  const reader = new AvroReader(file, { at: MAGIC.length, maxEntries: MAX_METADATA_ENTRIES })
  const metadata = new Map(Object.entries(reader.map(() => reader.sized())))
  const schema = metadata.get('avro.schema')?.toString('utf8')
  if (schema === undefined) throw new Error('Avro object container file without avro.schema')
  const codec = metadata.get('avro.codec')?.toString('utf8') ?? 'null'
  if (codec !== 'null' && codec !== 'deflate')
    throw new Error(`avro.codec ${codec}: only null and deflate are supported`)
  return { schema, blocks: blocksOf(reader, reader.fixed(SYNC_BYTES), codec) }
}

function* blocksOf(reader: AvroReader, sync: Buffer, codec: 'null' | 'deflate'): Iterable<ContainerBlock> {
  while (!reader.isAtEnd) {
    const [count, packed] = [reader.long(), reader.sized()]
    if (!reader.fixed(SYNC_BYTES).equals(sync)) throw reader.damaged()
    if (count < 0 || count > MAX_BLOCK_RECORDS)
      throw new Error(`a block has ${count} records; the limit is ${MAX_BLOCK_RECORDS}`)
    const data = codec === 'deflate' ? inflated(packed, MAX_BLOCK_BYTES) : packed
    if (data.length > MAX_BLOCK_BYTES) throw new Error(`a block is larger than ${MAX_BLOCK_BYTES} bytes`)
    yield { count, data }
  }
}
