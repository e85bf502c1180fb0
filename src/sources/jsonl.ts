import { isUtf8 } from 'node:buffer'
import { type ColumnMap, renamed } from './columns.ts'
import { type SourceRecord, MAX_LINE_BYTES } from './records.ts'

/** One JSON object per line, with fields renamed by `map`. Blank lines are skipped; anything else is malformed. */
export async function* jsonlRecords(
  bytes: AsyncIterable<Buffer>,
  { map }: { readonly map: ColumnMap } = { map: new Map() },
): AsyncGenerator<SourceRecord> {
  for await (const { number, text } of linesOf(bytes)) {
    if (typeof text !== 'string') yield { kind: 'malformed', line: number, reason: text.reason }
    else if (text.trim() !== '') yield record(number, text, map)
  }
}

function record(line: number, text: string, map: ColumnMap): SourceRecord {
  const value = parsedJson(text)
  return isFields(value)
    ? { kind: 'fields', line, fields: renamed(value, map) }
    : { kind: 'malformed', line, reason: 'malformed_line', detail: 'not a JSON object' }
}

/** `undefined` if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface SourceLine {
  /** Starts at 1. */
  readonly number: number
  readonly text: string | Unreadable
}

/** A skipped line: longer than `MAX_LINE_BYTES`, or not UTF-8. */
interface Unreadable {
  readonly reason: 'line_too_long' | 'malformed_line'
}

const NEWLINE = 0x0a

/** The lines of a byte stream, without line endings and byte order mark. Holds one line in memory. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceLine> {
  const line = new LineBuffer()
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end))
      yield line.take()
      start = end + 1
    }
    line.add(chunk.subarray(start))
  }
  if (!line.isEmpty()) yield line.take()
}

class LineBuffer {
  private parts: Buffer[] = []
  private bytes = 0
  private number = 0

  add(part: Buffer): void {
    this.bytes += part.length
    if (this.bytes <= MAX_LINE_BYTES) this.parts.push(part)
    else this.parts = []
  }

  isEmpty(): boolean {
    return this.bytes === 0
  }

  take(): SourceLine {
    this.number += 1
    const text = this.bytes > MAX_LINE_BYTES ? { reason: 'line_too_long' as const } : textOf(Buffer.concat(this.parts))
    this.parts = []
    this.bytes = 0
    return { number: this.number, text }
  }
}

const textOf = (bytes: Buffer): string | Unreadable =>
  isUtf8(bytes) ? bytes.toString('utf8').replace(/^\ufeff|\r$/g, '') : { reason: 'malformed_line' }
