import { type ColumnMap, renamed } from './columns.ts'
import { linesOf } from './lines.ts'
import type { SourceRecord } from './records.ts'

/** One JSON object a line, its fields named as `map` says; blank lines are nothing, anything else is malformed. */
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
  const value = parsed(text)
  return isFields(value)
    ? { kind: 'fields', line, fields: renamed(value, map) }
    : { kind: 'malformed', line, reason: 'malformed_line', detail: 'not a JSON object' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON: malformed, and the rest goes on
  }
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
