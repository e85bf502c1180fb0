import { inflateRawSync } from 'node:zlib'

/**
 * Reads Avro's binary encoding from untrusted bytes. Every length is checked against the remaining bytes before it is
 * used, and map entries are counted against a budget, so that memory and time are bounded by the size of the input.
 */
export class AvroReader {
  private readonly bytes: Buffer
  private entriesLeft: number
  at: number

  constructor(bytes: Buffer, { at = 0, maxEntries }: { readonly at?: number; readonly maxEntries: number }) {
    this.bytes = bytes
    this.at = at
    this.entriesLeft = maxEntries
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  /** An integer. Throws if JavaScript cannot represent it exactly. */
  long(): number {
    let [value, factor] = [0, 1]
    for (let i = 0; i < 10; i++, factor *= 128) {
      const byte = this.bytes[this.at++]
      if (byte === undefined) throw this.damaged()
      value += (byte & 127) * factor
      if (byte < 128) return this.exact(value)
    }
    throw this.damaged()
  }

  fixed(length: number): Buffer {
    if (length < 0 || length > this.bytes.length - this.at) throw this.damaged()
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  sized(): Buffer {
    return this.fixed(this.long())
  }

  string(): string {
    return this.sized().toString('utf8')
  }

  /** A union of null and another type, in this order. */
  nullable<Value>(read: () => Value): Value | null {
    const branch = this.long()
    if (branch !== 0 && branch !== 1) throw this.damaged()
    return branch === 0 ? null : read()
  }

  map<Value>(read: () => Value): Record<string, Value> {
    const entries: [string, Value][] = []
    for (let count = this.long(); count !== 0; count = this.long()) {
      if (count < 0) this.long() // a negative count is followed by the block size in bytes
      for (let left = Math.abs(count); left > 0; left--) {
        if (this.entriesLeft-- <= 0) throw new Error(`too many map entries at byte ${this.at}`)
        entries.push([this.string(), read()])
      }
    }
    return Object.fromEntries(entries)
  }

  damaged(): Error {
    return new Error(`the file is damaged or truncated at byte ${this.at}`)
  }

  /** Zigzag encoding: even numbers are positive, odd ones negative. */
  private exact(value: number): number {
    if (value > Number.MAX_SAFE_INTEGER) throw this.damaged()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}

/** Inflates to at most `maxBytes`. A larger block is rejected before it is fully decompressed. */
export function inflated(packed: Buffer, maxBytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes })
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw new Error(tooLarge ? `a block is larger than ${maxBytes} bytes` : 'a block cannot be decompressed', { cause })
  }
}
