import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** Larger pages are counted, not read. Of real news pages, almost none has more than 5 MB. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024

/** How an HTTP response says that its body is encoded. Archives may keep the headers and store the body decoded. */
export interface BodyEncoding {
  readonly transferEncoding: string | null
  readonly contentEncoding: string | null
}

/** The page in a stored body; `null` if it has more than `MAX_PAGE_BYTES`. Bytes that are not as declared stay as they are. */
export function pageBytes(body: Uint8Array, { transferEncoding, contentEncoding }: BodyEncoding): Uint8Array | null {
  const whole = /chunked/i.test(transferEncoding ?? '') ? withoutChunks(body) : body
  const encodings = `${contentEncoding ?? ''},${transferEncoding ?? ''}`.toLowerCase().split(/[\s,]+/)
  try {
    return encodings.reduceRight(decoded, whole)
  } catch (cause) {
    if (isTooLarge(cause)) return null
    throw cause
  }
}

const OPTIONS = { maxOutputLength: MAX_PAGE_BYTES }
/** A body that the crawler cut is decompressed as far as it goes. */
const CUT = { ...OPTIONS, finishFlush: constants.Z_SYNC_FLUSH }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, CUT),
  deflate: (bytes) => (isZlib(bytes) ? inflateSync(bytes, CUT) : inflateRawSync(bytes, CUT)),
  br: (bytes) => brotliDecompressSync(bytes, OPTIONS),
}

function decoded(bytes: Uint8Array, encoding: string): Uint8Array {
  const decode = decoderOf(bytes, encoding)
  if (decode === null) return bytes
  try {
    return decode(bytes)
  } catch (cause) {
    if (isTooLarge(cause)) throw cause
    return bytes
  }
}

/** A gzip header is unambiguous: such bytes are gzip data, whatever is declared, and others are not. */
function decoderOf(bytes: Uint8Array, encoding: string) {
  if (isGzip(bytes)) return DECODERS['gzip'] ?? null
  if (encoding === 'gzip' || isMarkup(bytes)) return null
  return (Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : null) ?? null
}

const isTooLarge = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const isZlib = ([first = 0, second = 0]: Uint8Array): boolean => (first & 15) === 8 && (first * 256 + second) % 31 === 0

/** Whether the bytes begin as mark-up does: with `<`, after white space or a byte order mark. */
export function isMarkup(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFFED_BYTES)).toString('latin1')
  return /^(?:ï»¿|ÿþ|þÿ)?[\s\0]*</.test(start)
}

const SNIFFED_BYTES = 512

/** The data of the chunks, up to the first that is malformed; the body itself if that is already the first. */
function withoutChunks(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\n', at)
    const size = end < 0 ? null : chunkSize(bytes.toString('latin1', at, Math.min(end, at + MAX_SIZE_LINE)))
    if (size === null) return chunks.length === 0 ? body : Buffer.concat(chunks)
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(end + 1, end + 1 + size))
    at = end + 1 + size
    if (bytes[at] === CARRIAGE_RETURN) at += 1
    if (bytes[at] === NEWLINE) at += 1
  }
}

const MAX_SIZE_LINE = 1024
const CARRIAGE_RETURN = 0x0d
const NEWLINE = 0x0a

function chunkSize(line: string): number | null {
  const size = /^\s*([0-9a-f]{1,8})\s*(?:;|$)/i.exec(line)?.[1]
  return size === undefined ? null : Number.parseInt(size, 16)
}
