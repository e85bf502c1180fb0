/** Reads lines and blocks from a stream of chunks. Holds one chunk and the block that is read. */
export class ByteReader {
  /** Bytes read so far. */
  position = 0
  private readonly chunks: AsyncIterator<Buffer>
  private rest: Buffer = EMPTY

  constructor(bytes: AsyncIterable<Buffer>) {
    this.chunks = bytes[Symbol.asyncIterator]()
  }

  /** The next line without its ending, cut at `most` bytes; `null` at the end of the stream. */
  async line(most: number): Promise<string | null> {
    const parts: Buffer[] = []
    let room = most
    while (await this.hasBytes()) {
      const end = this.rest.indexOf(NEWLINE)
      const part = this.advance(end < 0 ? this.rest.length : end + 1)
      if (room > 0) parts.push(part.subarray(0, room))
      room -= part.length
      if (end >= 0) return textOf(parts)
    }
    return parts.length === 0 ? null : textOf(parts)
  }

  /** The next `length` bytes; fewer at the end of the stream. */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.parts(length)) parts.push(part)
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  }

  /** Skips `length` bytes; returns how many there were. */
  async skip(length: number): Promise<number> {
    const before = this.position
    const parts = this.parts(length)
    while ((await parts.next()).done !== true);
    return this.position - before
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.hasBytes())
  }

  private async *parts(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0 && (await this.hasBytes());) {
      const part = this.advance(Math.min(left, this.rest.length))
      left -= part.length
      yield part
    }
  }

  private async hasBytes(): Promise<boolean> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next()
      if (next.done === true) return false
      this.rest = next.value
    }
    return true
  }

  private advance(length: number): Buffer {
    const part = this.rest.subarray(0, length)
    this.rest = this.rest.subarray(length)
    this.position += length
    return part
  }
}

const EMPTY = Buffer.alloc(0)
const NEWLINE = 0x0a

const textOf = (parts: readonly Buffer[]): string =>
  Buffer.concat(parts)
    .toString('utf8')
    .replace(/\r?\n?$/, '')
