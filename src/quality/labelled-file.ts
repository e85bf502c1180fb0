import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

/** A line that does not match the file format. The message is the reason. */
export class BadLine extends Error {
  readonly line: number

  /** `line` counts from 1. */
  constructor(line: number, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.line = line
  }
}

/** A file as text, decompressed if it is gzipped, without a byte order mark. */
export const textOf = (file: Buffer): string =>
  (file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file).toString('utf8').replace(/^\ufeff/, '')

/** Splits at LF and CRLF. */
export const linesOf = (text: string): string[] => text.split(/\r?\n/)

/** An optional string of a JSON line; `null` if it is absent. */
export const optionalText = z
  .string()
  .nullish()
  .transform((given) => given ?? null)

/** Parses one JSON object per line. Blank lines are skipped. */
export const jsonLines = <Row>(text: string, row: z.ZodType<Row>): Row[] =>
  linesOf(text).flatMap((line, i) => (line.trim() === '' ? [] : [jsonLine(line, i + 1, row)]))

/** Writes one JSON object per line, each terminated by LF. */
export const asJsonLines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

export function jsonLine<Row>(line: string, number: number, row: z.ZodType<Row>): Row {
  const parsed = row.safeParse(jsonOf(line, number))
  if (parsed.success) return parsed.data
  const reasons = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '))
  throw new BadLine(number, reasons.join('; '), parsed.error)
}

function jsonOf(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new BadLine(number, 'not JSON', cause)
  }
}

/** Sentences per group, about as many as an article has: neighbouring sentences are context for the tagger. */
const GROUP_SENTENCES = 24

/** Keeps one of every `every` groups of sentences of a BIO file. Deterministic. */
export const everyGroupOfSentences = (text: string, every: number): string =>
  linesOf(text)
    .join('\n')
    .split(/\n\n+/)
    .filter((_, i) => Math.floor(i / GROUP_SENTENCES) % every === 0)
    .join('\n\n')

/** Keeps one of every `every` lines. Deterministic. */
export const everyLine = (text: string, every: number): string =>
  linesOf(text)
    .filter((_, i) => i % every === 0)
    .join('\n')
