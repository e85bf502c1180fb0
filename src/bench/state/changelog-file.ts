import { closeSync, createReadStream, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

/** A record of the changelog; `value` is encoded, `null` for a tombstone. */
export interface ChangelogRecord {
  readonly key: string
  readonly value: Buffer | null
}

/** Two numbers before each record: the length of its key and of its value, -1 for a tombstone. */
const HEAD_BYTES = 8

/**
 * Appends records to a file. The decider does not write to Kafka, which would compete with it for the cores; the file is
 * produced to Kafka before the restarts are measured.
 */
export class ChangelogFile {
  private readonly file: number
  private end: number

  /** Whatever follows `from` is removed: it was written after the last saved progress. */
  constructor(path: string, from: number) {
    this.file = openSync(path, from === 0 ? 'w' : 'r+')
    ftruncateSync(this.file, from)
    this.end = from
  }

  get bytes(): number {
    return this.end
  }

  append(records: readonly ChangelogRecord[]): void {
    const bytes = Buffer.concat(records.flatMap(frameOf))
    writeSync(this.file, bytes, 0, bytes.length, this.end)
    this.end += bytes.length
  }

  close(): void {
    closeSync(this.file)
  }
}

function frameOf({ key, value }: ChangelogRecord): Buffer[] {
  const name = Buffer.from(key, 'utf8')
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeInt32LE(name.length, 0)
  head.writeInt32LE(value === null ? -1 : value.length, 4)
  return [head, name, ...(value === null ? [] : [value])]
}

/** A record and where its value is in the file. */
export interface FiledRecord extends ChangelogRecord {
  readonly at: number
}

/** All records in the order in which they were written. */
export async function* readChangelogFile(path: string): AsyncGenerator<FiledRecord> {
  let [rest, offset]: [Buffer, number] = [Buffer.alloc(0), 0]
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    rest = Buffer.concat([rest, chunk as Buffer])
    let start = 0
    for (let next = recordAt(rest, start); next !== null; next = recordAt(rest, start)) {
      yield { key: next.key, value: next.value, at: offset + next.from }
      start = next.end
    }
    rest = rest.subarray(start)
    offset += start
  }
}

/** `null` if the bytes end before the record does. */
function recordAt(bytes: Buffer, start: number) {
  if (start + HEAD_BYTES > bytes.length) return null
  const from = start + HEAD_BYTES + bytes.readInt32LE(start)
  const length = bytes.readInt32LE(start + 4)
  const end = from + Math.max(0, length)
  if (end > bytes.length) return null
  const key = bytes.toString('utf8', start + HEAD_BYTES, from)
  return { key, value: length < 0 ? null : bytes.subarray(from, end), from, end }
}

/** Reads single values of a file. */
export function openValues(path: string) {
  const file = openSync(path, 'r')
  return {
    value: (at: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, at)
      return bytes
    },
    close: () => closeSync(file),
  }
}
