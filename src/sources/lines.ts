import { isUtf8 } from 'node:buffer'
import { MAX_LINE_BYTES } from './records.ts'

export interface SourceLine {
  /** From 1. */
  readonly number: number
  readonly text: string | Unreadable
}

/** A line that is passed over: longer than `MAX_LINE_BYTES`, or no UTF-8. */
export interface Unreadable {
  readonly reason: 'line_too_long' | 'malformed_line'
}

const NEWLINE = 0x0a

/** The lines of a stream of bytes, without their ends, a byte order mark or more memory than one line takes. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceLine> {
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
