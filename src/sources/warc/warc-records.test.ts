import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gzipMembers, writtenPage, writtenRecord, writtenRequest } from '../../bench/warc/archive-records.ts'
import { gunzipMembers } from './gunzip-members.ts'
import { warcRecords, type WarcRecord } from './warc-records.ts'

const AT = '2026-05-03T12:00:00Z'
const written = [
  writtenRecord({ type: 'warcinfo', headers: { 'WARC-Date': AT }, block: 'software: test' }),
  ...[1, 2, 3].flatMap((n) => [
    writtenRequest(`https://a.example/${n}`, AT),
    writtenPage({
      url: `https://a.example/${n}`,
      crawledAt: AT,
      body: `<p>${`page ${n} `.repeat(n * 100)}</p>\r\n\r\n`,
    }),
  ]),
  writtenRecord({ type: 'metadata', block: '' }),
]

async function* inParts(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const isResponse: Parameters<typeof warcRecords>[1] = {
  readsBlock: (headers) => headers.get('warc-type') === 'response',
}

/** What was read, and the error at which reading ended. */
async function read(bytes: Buffer, sizes: readonly number[] = [65_536]) {
  const records: WarcRecord[] = []
  try {
    for await (const record of warcRecords(gunzipMembers(inParts(bytes, sizes)), isResponse)) records.push(record)
    return { records, error: null }
  } catch (cause) {
    return { records, error: String(cause) }
  }
}

const typesOf = (records: readonly WarcRecord[]) =>
  records.map((record) => (record.kind === 'record' ? record.headers.get('warc-type') : record.kind))

describe('the records of an archive', () => {
  it('are the same for any split of the bytes, plain, compressed by record or as a whole', async () => {
    const plain = Buffer.concat(written)
    const { records: expected } = await read(plain)
    expect(typesOf(expected)).toEqual(['warcinfo', ...[1, 2, 3].flatMap(() => ['request', 'response']), 'metadata'])

    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 3_000 })), {
      minLength: 1,
      maxLength: 8,
    })
    const file = fc.constantFrom(plain, gzipMembers(written), gzipSync(plain))
    await fc.assert(
      fc.asyncProperty(file, sizes, async (bytes, split) => {
        expect(await read(bytes, split)).toEqual({ records: expected, error: null })
      }),
      { numRuns: 40 },
    )
  })

  it('keep their blocks only if these are requested', async () => {
    const { records } = await read(Buffer.concat(written))

    const blocks = records.map((record) => (record.kind === 'record' ? record.block : null))
    expect(blocks.filter((block) => block !== null)).toHaveLength(3)
    expect(blocks[2]?.toString()).toMatch(/^HTTP\/1\.1 200[^]*<p>page 1 [^]*<\/p>\r\n\r\n$/)
  })

  it('go on after bytes that are none, which count as one malformed record', async () => {
    const noLength = Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n\r\nsome\r\nbytes\r\n\r\n')
    const short = writtenRecord({ type: 'metadata', headers: { 'Content-Length': '3' }, block: 'longer than three' })
    const parts = [
      written[0],
      Buffer.from('no record\r\n\r\nat all\r\n'),
      written[1],
      noLength,
      written[2],
      short,
      written[3],
    ]

    const { records, error } = await read(Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0))))

    expect(typesOf(records)).toEqual([
      ...['warcinfo', 'malformed', 'request', 'malformed', 'response', 'metadata', 'malformed', 'request'],
    ])
    expect(error).toBeNull()
  })

  it('of WARC 1.1, with folded headers in any case and without carriage returns, are read', async () => {
    const record = Buffer.from('WARC/1.1\nwarc-type: response\nX-Long: one\n  two\nCONTENT-LENGTH: 2\n\nok\n\n')

    const { records } = await read(record)

    expect(records).toEqual([
      {
        kind: 'record',
        headers: new Map([
          ['warc-type', 'response'],
          ['x-long', 'one two'],
          ['content-length', '2'],
        ]),
        block: Buffer.from('ok'),
      },
    ])
  })

  it('before the end of a cut file are read; the error has the position', async () => {
    const [plain, packed] = [Buffer.concat(written), gzipMembers(written)]

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 20, max: plain.length - 140 }), async (end) => {
        const { records, error } = await read(plain.subarray(0, end))
        const isAtEnd = error === null // between two records
        expect(isAtEnd || error.includes(`ends within a record, after ${end} uncompressed bytes`)).toBe(true)
        expect(typesOf((await read(plain)).records).slice(0, records.length)).toEqual(typesOf(records))
      }),
      { numRuns: 40 },
    )
    const cut = await read(packed.subarray(0, packed.length - 30))
    expect(cut.records).toHaveLength(written.length - 1)
    expect(cut.error).toContain(`damaged gzip data after byte ${packed.length - 30} (unexpected end of file)`)
  })

  it('before damaged bytes are read; what follows a member and is none is damage too', async () => {
    const packed = written.map((record) => gzipSync(record))
    const before = Buffer.concat(packed.slice(0, 3))
    const after = Buffer.concat(packed.slice(3))

    const damaged = await read(Buffer.concat([before, Buffer.alloc(50, 0x55), after]))
    expect(damaged.records.length).toBeGreaterThanOrEqual(2) // zlib gives nothing of the member that the bytes follow
    expect(damaged.error).toContain('damaged gzip data after byte')

    const flipped = Buffer.concat([before, after])
    flipped.fill(0x55, before.length + 40, before.length + 60)
    const corrupt = await read(flipped)
    expect(corrupt.records).toHaveLength(3)
    expect(corrupt.error).toContain('damaged gzip data after byte')

    const padded = await read(Buffer.concat([before, Buffer.alloc(512)]))
    expect(padded).toMatchObject({ error: null, records: { length: 3 } })
  })

  it('are read with bounded memory, however long a line is', async () => {
    const part = Buffer.alloc(1024 * 1024, 0x61)
    const endless = async function* () {
      yield Buffer.from('WARC/1.0\r\nX: ')
      for (let i = 0; i < 300; i++) yield part
      yield Buffer.from('\r\nContent-Length: 0\r\n\r\n\r\n\r\n')
    }
    const before = process.memoryUsage()
    const found: WarcRecord[] = []
    for await (const record of warcRecords(endless(), isResponse)) found.push(record)

    const after = process.memoryUsage()
    expect(typesOf(found)).toEqual([undefined])
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(100e6)
  })
})
