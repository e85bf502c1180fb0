import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MAX_PAGE_BYTES, pageBytes, type BodyEncoding } from './page-bytes.ts'

const PAGE = Buffer.from(`\n<!doctype html><p>${'The bridge is closed. '.repeat(200)}</p>`)

const chunked = (bytes: Buffer, size = 700): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    parts.push(Buffer.from(`${part.length.toString(16)};x=1\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

const declared = (contentEncoding: string | null, transferEncoding: string | null = null): BodyEncoding => ({
  contentEncoding,
  transferEncoding,
})
const textOf = (body: Uint8Array, encoding: BodyEncoding) => Buffer.from(pageBytes(body, encoding) ?? []).toString()

describe('the bytes of a stored page', () => {
  it.each([
    ['as they are', PAGE, declared(null)],
    ['gzip', gzipSync(PAGE), declared('gzip')],
    ['x-gzip', gzipSync(PAGE), declared('x-gzip')],
    ['gzip that nobody declared', gzipSync(PAGE), declared(null)],
    ['deflate', deflateSync(PAGE), declared('deflate')],
    ['raw deflate', deflateRawSync(PAGE), declared('Deflate')],
    ['br', brotliCompressSync(PAGE), declared('br')],
    ['two encodings', brotliCompressSync(gzipSync(PAGE)), declared('gzip, br')],
    ['chunked', chunked(PAGE), declared(null, 'chunked')],
    ['chunked gzip', chunked(gzipSync(PAGE), 20), declared('gzip', 'chunked')],
    ['gzip as a transfer encoding', chunked(gzipSync(PAGE), 20), declared(null, 'gzip, chunked')],
  ])('are decoded: %s', (_, body, encoding) => {
    expect(textOf(body, encoding)).toBe(PAGE.toString())
  })

  it.each([
    ...['gzip', 'deflate', 'br', 'zstd', 'constructor'].map((name) => [name, declared(name)] as const),
    ['chunked', declared(null, 'chunked')] as const,
  ])('are used as they are if they were decoded before: %s', (_, encoding) => {
    expect(textOf(PAGE, encoding)).toBe(PAGE.toString())
  })

  it('are those before the damage if the body was cut', () => {
    const cut = textOf(chunked(PAGE).subarray(0, 2_000), declared(null, 'chunked'))
    expect([PAGE.toString().startsWith(cut), cut.length > 1_900]).toEqual([true, true])
    expect(PAGE.toString()).toContain(textOf(gzipSync(PAGE, { level: 0 }).subarray(0, 2_000), declared('gzip')))
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(MAX_PAGE_BYTES + 1))],
    ['br', brotliCompressSync(Buffer.alloc(MAX_PAGE_BYTES + 1))],
    ['deflate', deflateSync(Buffer.alloc(MAX_PAGE_BYTES + 1))],
  ])('are not decompressed beyond the limit: %s', (encoding, body) => {
    expect(pageBytes(body, declared(encoding))).toBeNull()
  })
})
