import { ByteReader } from './byte-reader.ts'
import { DamagedArchive } from './damaged-archive.ts'
import { headerFields, type HeaderFields } from './header-block.ts'

/** A record of an archive; bytes between two records that are no record are one malformed record. */
export type WarcRecord =
  | {
      readonly kind: 'record'
      readonly headers: HeaderFields
      /** `null` if it was not requested. */
      readonly block: Buffer | null
    }
  | { readonly kind: 'malformed' }

export interface WarcReading {
  /** Whether the block of a record is read. All others are skipped without being held. */
  readonly readsBlock: (headers: HeaderFields, length: number) => boolean
}

/** Longer lines are cut. The longest real ones are addresses of 64 KiB. */
const MAX_LINE_BYTES = 128 * 1024
const MAX_HEADER_LINES = 200

const VERSION = /^WARC\/\d+\.\d+$/

/** The last line of a file that was cut within a version line. */
const isCutVersion = (line: string): boolean => /^(?:W(?:A(?:R(?:C(?:\/\d*\.?)?)?)?)?)$/.test(line)

/**
 * The records of a WARC file (ISO 28500, 1.0 and 1.1), uncompressed. After bytes that are no record, reading goes on at
 * the next version line. Throws `DamagedArchive` if the file ends within a record.
 */
export async function* warcRecords(bytes: AsyncIterable<Buffer>, reading: WarcReading): AsyncGenerator<WarcRecord> {
  const reader = new ByteReader(bytes)
  let isResyncing = false
  for (let line = await nextLine(reader); line !== null; line = await nextLine(reader)) {
    if (!VERSION.test(line)) {
      if (isCutVersion(line) && (await reader.isAtEnd())) throw endedEarly(reader)
      if (!isResyncing && line !== '') {
        yield { kind: 'malformed' }
        isResyncing = true
      }
      continue
    }
    const record = await recordOf(reader, reading)
    isResyncing = record.kind === 'malformed'
    yield record
  }
}

const nextLine = (reader: ByteReader): Promise<string | null> => reader.line(MAX_LINE_BYTES)

async function recordOf(reader: ByteReader, { readsBlock }: WarcReading): Promise<WarcRecord> {
  const lines = await headerLines(reader)
  const headers = headerFields(lines)
  const length = lengthOf(headers)
  if (length === null || lines.length > MAX_HEADER_LINES) return { kind: 'malformed' }

  const block = readsBlock(headers, length) ? await reader.take(length) : null
  const found = block === null ? await reader.skip(length) : block.length
  if (found < length) throw endedEarly(reader)
  return { kind: 'record', headers, block }
}

/** The lines up to the blank one. Those above the limit are read, not kept. */
async function headerLines(reader: ByteReader): Promise<readonly string[]> {
  const lines: string[] = []
  for (;;) {
    const line = await nextLine(reader)
    if (line === null) throw endedEarly(reader)
    if (line === '') return lines
    if (lines.length <= MAX_HEADER_LINES) lines.push(line)
  }
}

const endedEarly = (reader: ByteReader): DamagedArchive =>
  new DamagedArchive(`the file ends within a record, after ${reader.position} uncompressed bytes`)

function lengthOf(headers: HeaderFields): number | null {
  const length = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : null
}
