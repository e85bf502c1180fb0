import { linesOf } from './lines.ts'
import type { SourceRecord } from './records.ts'

/** One JSON object a line; blank lines are nothing, anything else is malformed. */
export async function* jsonlRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceRecord> {
  for await (const { number, text } of linesOf(bytes)) {
    if (typeof text !== 'string') yield { kind: 'malformed', line: number, reason: text.reason }
    else if (text.trim() !== '') yield record(number, text)
  }
}

function record(line: number, text: string): SourceRecord {
  const value = parsed(text)
  return isFields(value)
    ? { kind: 'fields', line, fields: value }
    : { kind: 'malformed', line, reason: 'malformed_line' }
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
