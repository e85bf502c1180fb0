import type { SentimentWeights } from './sentiment.ts'
import { CLASSES } from './sentiment.ts'

/** The file, little-endian: dim and buckets (uint32), then for each class bias, vector and text weights (float32). */
export function serializeSentiment({ dim, vector, text, bias }: SentimentWeights): Buffer {
  const buckets = text[0]?.length ?? 0
  const head = Buffer.alloc(8)
  head.writeUInt32LE(dim, 0)
  head.writeUInt32LE(buckets, 4)
  const rows = CLASSES.map((_, label) => {
    const row = Float32Array.from([bias[label] ?? 0, ...(vector[label] ?? []), ...(text[label] ?? [])])
    return Buffer.from(row.buffer)
  })
  return Buffer.concat([head, ...rows])
}

export function parseSentiment(file: Buffer): SentimentWeights {
  const dim = file.readUInt32LE(0)
  const buckets = file.readUInt32LE(4)
  const width = 1 + dim + buckets
  if (file.length !== 8 + CLASSES.length * width * 4) throw new Error(`The sentiment weights have ${file.length} bytes`)
  const rows = CLASSES.map((_, label) =>
    Float32Array.from({ length: width }, (_, i) => file.readFloatLE(8 + (label * width + i) * 4)),
  )
  return {
    dim,
    bias: rows.map((row) => row[0] ?? 0),
    vector: rows.map((row) => row.subarray(1, 1 + dim)),
    text: rows.map((row) => row.subarray(1 + dim)),
  }
}
