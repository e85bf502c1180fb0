import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { type ColumnMap, columnsOf } from './columns.ts'
import { MAX_LINE_BYTES, type SourceRecord } from './records.ts'

const LF = 0x0a
const CR = 0x0d

/** Converts all line endings to line feeds: files mix them, and the parser infers them from the first line only. */
async function* withLineFeeds(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let afterCr = false
  for await (const chunk of bytes) {
    if (!afterCr && !chunk.includes(CR)) {
      yield chunk
      continue
    }
    const out = Buffer.allocUnsafe(chunk.length)
    let length = 0
    for (const byte of chunk) {
      if (!(afterCr && byte === LF)) out[length++] = byte === CR ? LF : byte
      afterCr = byte === CR
    }
    yield out.subarray(0, length)
  }
}

const SEPARATORS = [',', ';', '\t'] as const
/** Maximum size of a header. A file without line breaks is not read beyond it. */
const MAX_HEADER_BYTES = 256 * 1024

/** Returns the first non-blank line of a file, and all bytes of the file. */
async function peekHeader(
  bytes: AsyncIterable<Buffer>,
): Promise<{ readonly header: string; readonly bytes: AsyncGenerator<Buffer> }> {
  const source = bytes[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  let line = ''
  while (line === '' && read.length < MAX_HEADER_BYTES) {
    const next = await source.next()
    if (next.done === true) break
    read = Buffer.concat([read, next.value])
    line = firstFullLine(read)
  }
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield read
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
  }
  return { header: line === '' ? read.subarray(0, MAX_HEADER_BYTES).toString('utf8') : line, bytes: whole() }
}

/** The first complete line; empty if the line has not ended yet. */
function firstFullLine(read: Buffer): string {
  const text = read.toString('utf8').replace(/^\ufeff/, '')
  return /^\n*([^\n]+)\n/.exec(text)?.[1] ?? ''
}

/** The most frequent separator in a header, outside quotes; a comma if there is none. */
function separatorOf(header: string): string {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '')
  const counts = SEPARATORS.map((separator) => bare.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

export interface CsvOptions {
  readonly map: ColumnMap
  /** `null`: detect the separator from the header. */
  readonly separator: string | null
}

const Parsed = z.object({ info: z.object({ lines: z.number() }), record: z.record(z.string(), z.string()) })

/**
 * Reads CSV with a header line (RFC 4180). A record whose number of columns differs from the header is malformed;
 * reading continues. A header without a column for the text yields one error, not one per line.
 */
export async function* csvRecords(
  bytes: AsyncIterable<Buffer>,
  { map, separator }: CsvOptions = { map: new Map(), separator: null },
): AsyncGenerator<SourceRecord> {
  const peeked = await peekHeader(withLineFeeds(bytes))
  const malformed = new CsvMalformed()
  const parser = parse({
    columns: (header: string[]) => namesFor(header, map),
    delimiter: separator ?? separatorOf(peeked.header),
    record_delimiter: '\n',
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_LINE_BYTES,
    on_record: (record: unknown, { lines }) => {
      malformed.readTo(lines)
      return record
    },
    on_skip: (error) => {
      malformed.skipTo(error)
      return undefined
    },
  })
  const source = Readable.from(peeked.bytes)
  source.on('error', (cause) => parser.destroy(cause))
  try {
    for await (const parsed of source.pipe(parser)) {
      const { info, record } = Parsed.parse(parsed)
      const line = firstLine(info.lines, record)
      yield* malformed.before(line)
      yield { kind: 'fields', line, fields: record }
    }
  } catch (cause) {
    if (!(cause instanceof HeaderRefused)) throw cause
    yield { kind: 'malformed', line: 1, reason: 'header_invalid', detail: cause.message }
  }
  yield* malformed.before(Infinity)
}

class HeaderRefused extends Error {}

/**
 * A name for each column. Ignored columns are kept under a placeholder name, because line breaks in them are counted.
 */
function namesFor(header: readonly string[], map: ColumnMap): string[] {
  const columns = columnsOf(header, map)
  if (columns.kind === 'refused') throw new HeaderRefused(columns.message)
  return columns.fields.map((field, at) => field ?? `#${at}`)
}

/** Malformed lines that are not reported yet, because the parser reads ahead. */
class CsvMalformed {
  private waiting: Extract<SourceRecord, { kind: 'malformed' }>[] = []
  /** The last line read so far; initially the header. */
  private end = 1

  readTo(line: number): void {
    this.end = line
  }

  /** An unbalanced quote consumes several lines. Each of them is reported, so that none is lost silently. */
  skipTo(error: unknown): void {
    const { lines: last, code } = Skipped.parse(error)
    const detail = DETAILS[code]
    for (let line = this.end + 1; line <= last; line++) {
      this.waiting.push({ kind: 'malformed', line, reason: 'malformed_line', ...(detail !== undefined && { detail }) })
    }
    this.end = Math.max(this.end, last)
  }

  before(line: number): Extract<SourceRecord, { kind: 'malformed' }>[] {
    return this.waiting.splice(0, this.waiting.filter((bad) => bad.line < line).length)
  }
}

const Skipped = z.object({ lines: z.number().catch(0), code: z.string().catch('') }).catch({ lines: 0, code: '' })

const DETAILS: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'not as many columns as the header',
  CSV_INVALID_CLOSING_QUOTE: 'text behind a closing quote',
  INVALID_OPENING_QUOTE: 'a quote inside a value that is not quoted',
  CSV_QUOTE_NOT_CLOSED: 'a quote that is not closed',
  CSV_MAX_RECORD_SIZE: `more than ${MAX_LINE_BYTES} characters`,
}

/**
 * The parser reports the last line of a record. Quoted fields may contain line breaks, so this computes the first line.
 */
function firstLine(last: number, record: Readonly<Record<string, string>>): number {
  const breaks = Object.values(record).reduce((sum, value) => sum + (value.match(/\n/g)?.length ?? 0), 0)
  return last - breaks
}
