import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { MAX_LINE_BYTES, type SourceRecord } from './records.ts'

const Parsed = z.object({ info: z.object({ lines: z.number() }), record: z.record(z.string(), z.string()) })

/** CSV with a header line (RFC 4180); a record with other columns than the header is malformed, the rest goes on. */
export async function* csvRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceRecord> {
  const malformed: Malformed[] = []
  let end = 1 // the last line of what was read: first of all the header
  const parser = parse({
    columns: true,
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_LINE_BYTES,
    on_record: (record: unknown, { lines }) => {
      end = lines
      return record
    },
    on_skip: (error) => {
      // a quote without its partner takes lines with it: each of them is named, so that none is lost unseen
      const last = lineOf(error)
      for (let line = end + 1; line <= last; line++)
        malformed.push({ kind: 'malformed', line, reason: 'malformed_line' })
      end = Math.max(end, last)
      return undefined
    },
  })
  const source = Readable.from(bytes)
  source.on('error', (cause) => parser.destroy(cause))
  for await (const parsed of source.pipe(parser)) {
    const { info, record } = Parsed.parse(parsed)
    const line = firstLine(info.lines, record)
    yield* malformed.splice(0, malformed.filter((bad) => bad.line < line).length) // the parser reads ahead
    yield { kind: 'fields', line, fields: record }
  }
  yield* malformed.splice(0)
}

type Malformed = Extract<SourceRecord, { kind: 'malformed' }>

const lineOf = (error: unknown): number => z.object({ lines: z.number() }).catch({ lines: 0 }).parse(error).lines

/** The parser counts lines to a record's end; its quoted fields may hold line breaks. */
function firstLine(last: number, record: Readonly<Record<string, string>>): number {
  const breaks = Object.values(record).reduce((sum, value) => sum + (value.match(/\n/g)?.length ?? 0), 0)
  return last - breaks
}
