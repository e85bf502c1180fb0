import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { MAX_LINE_BYTES, type SourceRecord } from './records.ts'

const Parsed = z.object({ info: z.object({ lines: z.number() }), record: z.record(z.string(), z.string()) })

/** CSV with a header line (RFC 4180); a record with other columns than the header is malformed, the rest goes on. */
export async function* csvRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceRecord> {
  const malformed: SourceRecord[] = []
  const parser = parse({
    columns: true,
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_LINE_BYTES,
    on_skip: (error) => {
      malformed.push({ kind: 'malformed', line: lineOf(error), reason: 'malformed_line' })
      return undefined
    },
  })
  const source = Readable.from(bytes)
  source.on('error', (cause) => parser.destroy(cause))
  for await (const parsed of source.pipe(parser)) {
    yield* malformed.splice(0)
    const { info, record } = Parsed.parse(parsed)
    yield { kind: 'fields', line: firstLine(info.lines, record), fields: record }
  }
  yield* malformed.splice(0)
}

const lineOf = (error: unknown): number => z.object({ lines: z.number() }).catch({ lines: 0 }).parse(error).lines

/** The parser counts lines to a record's end; its quoted fields may hold line breaks. */
function firstLine(last: number, record: Readonly<Record<string, string>>): number {
  const breaks = Object.values(record).reduce((sum, value) => sum + (value.match(/\n/g)?.length ?? 0), 0)
  return last - breaks
}
