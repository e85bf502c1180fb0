import { finished } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { DamagedArchive } from './damaged-archive.ts'

/** Small, because zlib counts the bytes of a part only once it was decompressed: an error is at most this far ahead. */
const PART_BYTES = 16 * 1024

/**
 * Decompresses gzip members one after another; other bytes pass unchanged. Throws `DamagedArchive` with the position in
 * the compressed file if the data is corrupt, ends early, or does not go on with a member.
 */
export async function* gunzipMembers(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const parts = partsOf(bytes)
  const start = await startOf(parts)
  const all = startingWith(start, parts)
  if (start[0] === 0x1f && start[1] === 0x8b) yield* membersOf(all)
  else yield* all
}

async function* membersOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 4 * PART_BYTES })
  const chunks: Buffer[] = []
  gunzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  const write = writerTo(gunzip)
  let fed = 0
  for await (const part of bytes) {
    fed += part.length
    await write((done) => gunzip.write(part, done))
    yield* chunks.splice(0)
    if (gunzip.bytesWritten === fed) continue

    // zlib ignores what follows a member and is none
    const rest = startingWith(part.subarray(part.length - (fed - gunzip.bytesWritten)), bytes)
    await checkPadding(rest, gunzip.bytesWritten)
    return
  }
  await write((done) => finished(gunzip.end(), () => done()))
  yield* chunks
}

/** Waits for one operation at a time. Throws `DamagedArchive` after an error, for which zlib calls nothing else. */
function writerTo(gunzip: Gunzip): (operation: (done: () => void) => void) => Promise<void> {
  let error: Error | null = null
  let settle = (): void => undefined
  gunzip.once('error', (cause) => {
    error = cause
    settle()
  })
  return async (operation) => {
    await new Promise<void>((done) => operation((settle = done)))
    if (error !== null)
      throw new DamagedArchive(`damaged gzip data after byte ${gunzip.bytesWritten} (${error.message})`, {
        cause: error,
      })
  }
}

/** Some programs fill a file with zeros. */
async function checkPadding(bytes: AsyncIterable<Buffer>, at: number): Promise<void> {
  for await (const part of bytes) {
    if (part.some((byte) => byte !== 0))
      throw new DamagedArchive(`no gzip data at byte ${at}, after the end of a gzip member`)
  }
}

/**
 * Parts that end before the start of a member, because zlib gives nothing of a part with an error. Compressed data may
 * contain the same bytes: then a part is only smaller.
 */
async function* partsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const next = chunk.subarray(at, at + PART_BYTES).indexOf(MEMBER_START, 1)
      const end = next < 0 ? at + PART_BYTES : at + next
      yield chunk.subarray(at, end)
      at = end
    }
  }
}

const MEMBER_START = Buffer.from([0x1f, 0x8b, 0x08])

/** At least two bytes, if there are so many. */
async function startOf(parts: AsyncGenerator<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0)
  while (start.length < 2) {
    const next = await parts.next()
    if (next.done === true) break
    start = Buffer.concat([start, next.value])
  }
  return start
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
