import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

const KEY_BYTES = 16

/**
 * Vectors by text in an append-only file. Each record is 16 bytes (SHA-256 of the text, truncated) and little-endian
 * float32[dim]. The file is read once, on first use.
 */
export class VectorFile {
  private readonly path: string
  private readonly dim: number
  private readonly vectors = new Map<string, Float32Array>()
  private opening: Promise<void> | undefined

  constructor(path: string, dim: number) {
    this.path = path
    this.dim = dim
  }

  async open(): Promise<void> {
    await (this.opening ??= this.load())
  }

  get(text: string): Float32Array | undefined {
    return this.vectors.get(keyOf(text).toString('latin1'))
  }

  /** Appends in one write, so that several processes may append to one file. */
  async add(entries: readonly (readonly [text: string, vector: Float32Array])[]): Promise<void> {
    if (entries.length === 0) return
    const records = entries.flatMap(([text, vector]) => {
      const key = keyOf(text)
      this.vectors.set(key.toString('latin1'), vector)
      return [key, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]
    })
    await this.open()
    await appendFile(this.path, Buffer.concat(records))
  }

  private async load(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true })
    await appendFile(this.path, '')
    const bytes = await readFile(this.path)
    const record = KEY_BYTES + 4 * this.dim
    const whole = bytes.length - (bytes.length % record)
    for (let at = 0; at < whole; at += record) {
      const values = bytes.subarray(at + KEY_BYTES, at + record)
      this.vectors.set(bytes.toString('latin1', at, at + KEY_BYTES), floats(values))
    }
    // A write that was cut off by a crash would shift every record after it.
    if (whole < bytes.length) await truncate(this.path, whole)
  }
}

const keyOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest().subarray(0, KEY_BYTES)

const floats = (bytes: Buffer): Float32Array =>
  new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
