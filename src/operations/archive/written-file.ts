import type { ArchivedPartition, ArchivedRecord } from '../../ports/restorer.ts'
import type { ArchivedFile } from './manifest.ts'
import { fileBlock, fileHeader } from './record.ts'
import type { LogRecord } from '../../ports/log.ts'
import { sha256Hex, type ArchiveFolder } from './folder.ts'

/** A file's worth before it is packed: it is held in memory, written and read. */
const FILE_BYTES = 32_000_000
const BLOCK_BYTES = 1_000_000

/** One file as it comes to be: records of a stretch of one partition. */
export class WrittenFile {
  private readonly of: ArchivedPartition
  private readonly from: number
  private readonly name: string
  private readonly parts: Buffer[]
  private block: ArchivedRecord[] = []
  private blockBytes = 0
  private bytes = 0
  private records = 0
  private first: number | null = null
  private last: number | null = null

  constructor(of: ArchivedPartition, from: number) {
    this.of = of
    this.from = from
    this.name = `${of.topic}/${of.partition}/${String(from).padStart(12, '0')}.avro`
    this.parts = [fileHeader(this.name)]
  }

  get isFull(): boolean {
    return this.bytes >= FILE_BYTES
  }

  add({ offset, key, value, headers, loggedAt }: LogRecord): void {
    this.block.push({ offset, timestamp: loggedAt, key, headers, value })
    const size = 100 + (value?.length ?? 0) + (key?.length ?? 0) + headerCharacters(headers)
    this.blockBytes += size
    this.bytes += size
    this.records += 1
    this.first ??= loggedAt
    this.last = loggedAt
    if (this.blockBytes >= BLOCK_BYTES) this.flush()
  }

  /** Writes it; it covers all offsets before `to`. */
  write(folder: ArchiveFolder, to: number): ArchivedFile {
    this.flush()
    const content = Buffer.concat(this.parts)
    folder.write(this.name, content)
    return {
      ...this.of,
      path: this.name,
      ...{ from: this.from, to, records: this.records },
      ...{ first_timestamp: this.first, last_timestamp: this.last },
      ...{ bytes: content.length, sha256: sha256Hex(content) },
    }
  }

  private flush(): void {
    if (this.block.length === 0) return
    this.parts.push(fileBlock(this.name, this.block))
    this.block = []
    this.blockBytes = 0
  }
}

const headerCharacters = (headers: LogRecord['headers']): number =>
  Object.entries(headers).reduce((sum, [name, text]) => sum + name.length + text.length, 0)
