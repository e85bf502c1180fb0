import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

/** A line that is not in the file's format; its message says why. */
export class BadLine extends Error {
  readonly line: number

  /** `line` counts from 1. */
  constructor(line: number, reason: string, cause?: unknown) {
    super(reason, { cause })
    this.line = line
  }
}

/** A file as text, also a gzipped one; without the mark that some editors put before it. */
export const textOf = (file: Buffer): string =>
  (file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file).toString('utf8').replace(/^\ufeff/, '')

/** However they end. */
export const linesOf = (text: string): string[] => text.split(/\r?\n/)

/** A text of a JSON line that may be absent. */
export const optionalText = z
  .string()
  .nullish()
  .transform((given) => given ?? null)

/** One JSON object a line; blank lines hold nothing. */
export const jsonLines = <Row>(text: string, row: z.ZodType<Row>): Row[] =>
  linesOf(text).flatMap((line, i) => (line.trim() === '' ? [] : [jsonLine(line, i + 1, row)]))

/** The same as a text, each line ended. */
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

/** Sentences that stay together, about an article's: names are read in the company of their neighbours. */
const TOGETHER = 24

/** Every so-many-th group of sentences of a BIO file, always the same ones. */
export const everyGroupOfSentences = (text: string, every: number): string =>
  linesOf(text)
    .join('\n')
    .split(/\n\n+/)
    .filter((_, i) => Math.floor(i / TOGETHER) % every === 0)
    .join('\n\n')

/** Every so-many-th line, always the same ones. */
export const everyLine = (text: string, every: number): string =>
  linesOf(text)
    .filter((_, i) => i % every === 0)
    .join('\n')
