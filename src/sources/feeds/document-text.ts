import { TextDecoder } from 'node:util'
import { gunzipSync } from 'node:zlib'

/**
 * The text of a document, which may be a gzip file (`sitemap.xml.gz`). Throws if the body is larger than `maxBytes`
 * before or after decompression, or if it is not readable gzip data. Decompression stops at the limit.
 */
export function documentText(body: Buffer, contentType: string | undefined, maxBytes: number): string {
  if (body.length > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
  return decoded(isGzip(body) ? gunzipped(body, maxBytes) : body, contentType)
}

/** RFC 1952, 2.3.1. A text in UTF-8 or UTF-16 never starts with these bytes. */
const isGzip = (body: Buffer): boolean => body[0] === 0x1f && body[1] === 0x8b

function gunzipped(body: Buffer, maxBytes: number): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes })
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError
    throw new Error(isTooLarge ? `more than ${maxBytes} bytes` : 'not readable gzip data', { cause })
  }
}

/**
 * Decodes a document by the charset of the response, its byte order mark or its XML declaration; otherwise as UTF-8.
 */
export function decoded(body: Buffer, contentType: string | undefined): string {
  const named = /charset=["']?([\w-]+)/i.exec(contentType ?? '')?.[1]
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(body.subarray(0, 200).toString('latin1'))?.[1]
  return decoderOf(marked(body) ?? named ?? declared ?? 'utf-8').decode(body)
}

const marked = (body: Buffer): string | null =>
  body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : null

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('utf-8') // unknown charset
  }
}
