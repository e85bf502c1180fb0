import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The bytes to import and their progress. */
export interface OpenSource {
  readonly bytes: AsyncIterable<Buffer>
  /** Size in bytes before decompression; `null` if it is unknown (standard input, a pipe). */
  readonly size: number | null
  /** Number of those bytes read so far. */
  readonly done: () => number
}

/** Opens a file, or standard input for `-`. Gzip is detected by its first two bytes, not by the file name. */
export async function openSource(path: string, stdin: Readable): Promise<OpenSource> {
  const packed = await openPacked(path, stdin)
  return { ...packed, bytes: unpacked(packed.bytes) }
}

interface PackedSource extends OpenSource {
  readonly bytes: AsyncGenerator<Buffer>
}

/** Opens a file, or standard input for `-`, without decompressing it. */
export async function openPacked(path: string, stdin: Readable): Promise<PackedSource> {
  const size = path === '-' ? null : await sizeOf(path)
  const packed = path === '-' ? stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
  let done = 0
  const counted = counting(packed, (bytes) => (done += bytes))
  return { bytes: counted, size, done: () => done }
}

/**
 * `null` for a pipe or device, which has no size and can be read only once. Users may name one: `<(zcat …)`,
 * `/dev/stdin`.
 */
async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path)
  return found.isFile() ? found.size : null
}

/** Throws for the first path that cannot be imported, before anything is read. The error says what to do. */
export async function checkPaths(paths: readonly string[], extension: string): Promise<void> {
  for (const path of paths.filter((one) => one !== '-')) {
    const found = await stat(path).catch((cause: unknown) => {
      throw isMissing(cause) ? new Error(`${path}: no such file`) : cause
    })
    if (found.isDirectory()) throw folderRefusal(path, extension)
  }
}

export const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

/** The error for a folder; suggests what to pass instead. */
export const folderRefusal = (path: string, extension: string): Error =>
  new Error(`${path} is a folder; give files: ${path.replace(/\/+$/, '')}/*.${extension}`)

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
  // A corrupt archive destroys `gunzip` with an error, which the loop below rethrows.
  pipeline(Readable.from(bytes), gunzip, () => undefined)
  for await (const chunk of gunzip) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
}

/** Hex SHA-256 of a file, which identifies its checkpoint. `null` if the input can be read only once. */
export async function fingerprint(path: string): Promise<string | null> {
  if (path === '-' || (await sizeOf(path)) === null) return null
  const hash = createHash('sha256')
  for await (const chunk of counting(createReadStream(path), () => undefined)) hash.update(chunk)
  return hash.digest('hex')
}
