import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Bytes to import, unpacked, and what is known of them. */
export interface OpenSource {
  readonly bytes: AsyncIterable<Buffer>
  /** Bytes as they lie there (packed); null for standard input. */
  readonly size: number | null
  /** How many of them were read so far. */
  readonly done: () => number
}

/** A file, or `-` for standard input; gzip is known by its first two bytes, whatever the name. */
export async function openSource(path: string, stdin: Readable): Promise<OpenSource> {
  const size = path === '-' ? null : (await stat(path)).size
  const packed = path === '-' ? stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
  let done = 0
  const counted = counting(packed, (bytes) => (done += bytes))
  return { bytes: unpacked(counted), size, done: () => done }
}

async function* counting(bytes: AsyncIterable<unknown>, add: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    add(buffer.length)
    yield buffer
  }
}

async function* unpacked(bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await bytes.next()
  if (first.done === true) return
  const all = startingWith(first.value, bytes)
  if (first.value[0] === 0x1f && first.value[1] === 0x8b) yield* gunzipped(all)
  else yield* all
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  // A broken archive destroys `gunzip` with its error, which the loop below then throws.
  pipeline(Readable.from(bytes), gunzip, () => undefined)
  for await (const chunk of gunzip) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
}

/** Hex SHA-256 of a file's bytes: what a checkpoint belongs to. */
export async function fingerprint(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of counting(createReadStream(path), () => undefined)) hash.update(chunk)
  return hash.digest('hex')
}
