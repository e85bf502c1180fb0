import type avsc from 'avsc'

const MAGIC = 0
const HEADER_BYTES = 5

/** Confluent framing: 0x00, schema id in 4 bytes (big-endian), Avro. */
export function framed(schemaId: number, avro: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(MAGIC, 0)
  header.writeUInt32BE(schemaId, 1)
  return Buffer.concat([header, avro])
}

/** The parts of a framed value; `null` if it is not framed. */
export const unframed = (value: Buffer): { readonly schemaId: number; readonly avro: Buffer } | null =>
  value.length < HEADER_BYTES || value[0] !== MAGIC
    ? null
    : { schemaId: value.readUInt32BE(1), avro: value.subarray(HEADER_BYTES) }

/** Encodes an event as Avro. A mismatch with the schema is a bug in this service, so the error names the field. */
export function avroOf(type: avsc.Type, { topic, event }: { readonly topic: string; readonly event: unknown }): Buffer {
  try {
    return type.toBuffer(event)
  } catch (cause) {
    const wrong: string[] = []
    type.isValid(event, { errorHook: (path) => wrong.push(path.join('.')) })
    throw new Error(`an event of ${topic} does not fit its schema at ${wrong.join(', ')}`, { cause })
  }
}
