import type { ArchivedRecord, RestoredStretch } from '../../ports/restorer.ts'
import { Readable } from 'node:stream'
import { deflateRawSync } from 'node:zlib'
import avsc from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containerHeader } from './container.ts'
import { parseManifest, emptyManifest, gapsIn } from './manifest.ts'
import { ARCHIVED_SCHEMA, fileBlock, fileHeader, recordsOfFile, schemaIdOf, withSchemaId } from './record.ts'
import { stretches } from './stretches.ts'

const aRecord = (offset: number, more: Partial<ArchivedRecord> = {}): ArchivedRecord => ({
  offset,
  timestamp: 1_000 + offset,
  key: `key-${offset}`,
  headers: { request_id: 'r' },
  value: Buffer.from([0, 0, 0, 0, 1, offset & 255]),
  ...more,
})

const aFile = (...blocks: readonly (readonly ArchivedRecord[])[]) =>
  Buffer.concat([fileHeader('t/0/0.avro'), ...blocks.map((block) => fileBlock('t/0/0.avro', block))])

describe('a file of an archive', () => {
  const records = [aRecord(0), aRecord(1, { key: null, headers: {} }), aRecord(9, { value: null })]

  it('comes back as it was, and is the same file when it is made again', () => {
    const file = aFile(records.slice(0, 2), records.slice(2))

    expect([...recordsOfFile(file)]).toEqual([records.slice(0, 2), records.slice(2)])
    expect(aFile(records.slice(0, 2), records.slice(2)).equals(file)).toBe(true)
  })

  it('is read by any Avro library', async () => {
    const decoder = Readable.from([aFile(records)]).pipe(new avsc.streams.BlockDecoder())

    const read: unknown[] = []
    for await (const record of decoder) read.push(record)

    expect(read).toMatchObject(records.map(({ offset, timestamp }) => ({ offset, timestamp })))
  })

  it.each([
    ['cut off', (file: Buffer) => file.subarray(0, file.length - 20)],
    ['not an Avro file of log records', () => Buffer.from('PK')],
    ['changed in its middle', (file: Buffer) => Buffer.concat([file.subarray(0, -3), Buffer.from('abc')])],
  ])('is refused where it is %s', (_, broken) => {
    expect(() => [...recordsOfFile(broken(aFile(records)))]).toThrow(
      /not an Avro object container|damaged or truncated/,
    )
  })
})

const aBlock = (count: number, data: Buffer): Buffer => {
  const [long, bytes] = [avsc.Type.forSchema('long'), avsc.Type.forSchema('bytes')]
  return Buffer.concat([long.toBuffer(count), bytes.toBuffer(deflateRawSync(data)), header.subarray(-16)])
}
const header = fileHeader('t/0/0.avro')
const long = (value: number) => avsc.Type.forSchema('long').toBuffer(value)
const read = (file: Buffer) => [...recordsOfFile(file)]

describe('a hostile file of an archive is refused before it fills the memory', () => {
  it.each([
    [
      'a block that inflates to more than any of ours',
      aBlock(1, Buffer.alloc(65 * 1024 * 1024)),
      /a block is larger than/,
    ],
    [
      'more records than a block has',
      aBlock(4e15, Buffer.from([0, 0, 0, 0, 0])),
      /a block has 4000000000000000 records/,
    ],
    ['fewer than none', aBlock(-1, Buffer.alloc(0)), /a block has -1 records/],
    ['records that are not there', aBlock(90_000, Buffer.alloc(10)), /damaged or truncated/],
    ['records that are not counted', aBlock(1, Buffer.alloc(10)), /has extra bytes/],
    [
      'headers that are not there',
      aBlock(1, Buffer.concat([Buffer.alloc(3), long(4e15), Buffer.from([0])])),
      /damaged or truncated/,
    ],
    [
      'more headers than a block has',
      aBlock(1, Buffer.concat([Buffer.alloc(3), long(4e15), Buffer.alloc(3_000_000)])),
      /too many map entries/,
    ],
    ['a length below nothing', aBlock(1, Buffer.concat([Buffer.from([0, 0, 2]), long(-5)])), /damaged or truncated/],
  ])('with %s', (_, block, message) => {
    const before = process.memoryUsage().rss

    expect(() => read(Buffer.concat([header, block]))).toThrow(message)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
  })

  it('whose header has metadata without end', () => {
    const file = Buffer.concat([header.subarray(0, 4), long(4e15), Buffer.alloc(3_000)])

    expect(() => read(file)).toThrow('too many map entries')
  })

  const fields = [{ name: 'offset', type: 'null' }]
  it.each([
    ['the right name and other fields', { type: 'record', name: 'LogRecord', namespace: 'story.archive', fields }],
    ['the right fields under another name', { ...(JSON.parse(ARCHIVED_SCHEMA) as object), name: 'Other' }],
    ['no record', 'null'],
  ])('of a schema with %s', (_, schema) => {
    const file = Buffer.concat([containerHeader(JSON.stringify(schema), Buffer.alloc(16)), long(4e15)])

    expect(() => read(file)).toThrow('not an Avro file of log records')
  })

  it('but not for the words that describe its fields', () => {
    const schema = ARCHIVED_SCHEMA.replace('When the log received it', 'Otherwise put')

    expect(read(containerHeader(schema, Buffer.alloc(16)))).toEqual([])
  })
})

/**
 * The records that a broker would store for each step: a marker takes one offset, an aborted transaction its own
 * offsets.
 */
function written(steps: Iterable<RestoredStretch>): {
  readonly at: readonly [number, ArchivedRecord][]
  readonly end: number
} {
  const at: [number, ArchivedRecord][] = []
  let end = 0
  for (const step of steps) {
    if (step.kind === 'nothing') {
      expect(step.offsets).toBeGreaterThanOrEqual(2)
      end += step.offsets
    } else if (step.kind === 'tombstone') end += 1
    else {
      for (const record of step.records) at.push([end++, record])
      if (step.kind === 'committed') end += 1
    }
  }
  return { at, end }
}

describe('stretches', () => {
  it('put every record at its offset, whatever the gaps, and end where the log had ended', () => {
    const gaps = fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })))
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 5 }), (before, behind, size) => {
        let next = 0
        const records = before.map((gap) => {
          next += gap + 1
          return aRecord(next - 1)
        })
        const blocks = Array.from({ length: Math.ceil(records.length / size) }, (_, i) =>
          records.slice(i * size, (i + 1) * size),
        )

        const { at, end } = written(stretches(blocks, next + behind))

        expect(at.map(([offset]) => offset)).toEqual(records.map(({ offset }) => offset))
        expect(at.map(([, record]) => record)).toEqual(records)
        expect(end).toBe(next + behind)
      }),
    )
  })

  it('bear a gap of any length, and keep no more than a request in hand', () => {
    const { at, end } = written(stretches([[aRecord(40_001)], [aRecord(60_003)]], 60_004))
    const many = [...stretches([Array.from({ length: 1_200 }, (_, i) => aRecord(i))], 1_200)]

    expect([at.map(([offset]) => offset), end]).toEqual([[40_001, 60_003], 60_004])
    expect(many.map((step) => ('records' in step ? step.records.length : 0))).toEqual([500, 500, 200])
  })

  it('refuse an archive that is out of order', () => {
    expect(() => [...stretches([[aRecord(5), aRecord(4)]], 6)]).toThrow('out of order')
  })
})

it('gives values the ids of another registry, and leaves alone what is none of ours', () => {
  const ids = new Map([[1, 70_000]])
  const [framed, other, text] = [aRecord(0).value, Buffer.from([0, 0, 0, 0, 2, 9]), Buffer.from('text')]

  expect(schemaIdOf(withSchemaId(framed, ids))).toBe(70_000)
  expect(withSchemaId(framed, ids)?.subarray(5)).toEqual(framed?.subarray(5))
  expect([other, text, null].map((value) => withSchemaId(value, ids))).toEqual([other, text, null])
  expect(schemaIdOf(framed)).toBe(1) // the bytes in the archive are unchanged
})

describe('a manifest', () => {
  const file = (from: number, to: number) => ({
    ...{ path: `t/0/${from}.avro`, topic: 't', partition: 0, from, to, records: to - from },
    ...{ first_timestamp: null, last_timestamp: null, bytes: 1, sha256: 'a'.repeat(64) },
  })

  it('has no more partitions than memory for them', () => {
    const text = JSON.stringify({ ...emptyManifest, topics: [{ topic: 't', partitions: 1e9 }] })

    expect(() => parseManifest(text)).toThrow('not a valid archive manifest')
    expect(() => parseManifest('{')).toThrow('not a valid archive manifest')
  })

  it('names no file outside its folder', () => {
    for (const path of ['../t.avro', '/t.avro', 't/../../x', '.hidden']) {
      const text = JSON.stringify({ ...emptyManifest, files: [{ ...file(0, 1), path }] })
      expect(() => parseManifest(text), path).toThrow('not a valid archive manifest')
    }
  })

  it('shows the holes between its files', () => {
    const topics = [{ topic: 't', partitions: 1 }]
    expect(gapsIn({ ...emptyManifest, topics, files: [file(0, 5), file(5, 7)] })).toEqual([])
    expect(gapsIn({ ...emptyManifest, topics, files: [file(6, 7), file(0, 5)] })).toEqual([
      't 0: t/0/0.avro ends at 5, t/0/6.avro begins at 6',
    ])
  })
})
