import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { sha256 } from '../../events/ids.ts'
import { snapshotFiles } from '../snapshot-files.ts'
import {
  CheckpointFailed,
  type ChangelogCopy,
  type CheckpointOrigin,
  type Checkpoints,
  type CopiedRun,
  type CopiedEntry,
} from '../../ports/checkpoints.ts'

/**
 * Copies of changelogs in LMDB, one folder each, and saved states in files. Several processes may use the same folder.
 * Writes are synchronous: an asynchronous transaction holds the lock of the file while it waits for this thread, which
 * may wait for the lock itself.
 */
export const lmdbCheckpoints = (folder: string): Checkpoints => ({
  snapshots: snapshotFiles(join(folder, 'snapshots')),
  open: async (name) => failing(() => new LmdbCheckpoint(join(folder, name))),
  names: async () => {
    await mkdir(folder, { recursive: true })
    return readdir(folder)
  },
  delete: async (name) => {
    await rm(join(folder, name), { recursive: true, force: true })
  },
})

function failing<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    throw new CheckpointFailed('the local copy of a changelog cannot be used', { cause })
  }
}

/** Entries per page of a scan. Between two pages other work of the process can run. */
const PAGE = 1_000
/** LMDB accepts keys of up to 1,978 bytes. */
const LONGEST_KEY = 1_900
/** Sorts before all keys of entries, which are text. */
const HEADER: Buffer = Buffer.from([0])
const FIRST: Buffer = Buffer.from([1])

interface Header extends CheckpointOrigin {
  readonly offset: number
}

class LmdbCheckpoint implements ChangelogCopy {
  private readonly entriesOf: RootDatabase<Buffer, Buffer>

  constructor(path: string) {
    this.entriesOf = open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary', noSubdir: false })
  }

  get offset(): number {
    return this.header?.offset ?? 0
  }

  get origin(): CheckpointOrigin | null {
    return this.header
  }

  private get header(): Header | null {
    const bytes = failing(() => this.entriesOf.get(HEADER))
    return bytes === undefined ? null : failing(() => JSON.parse(bytes.toString()) as Header)
  }

  get(key: string): CopiedEntry | null {
    const bytes = failing(() => this.entriesOf.get(storedKey(key)))
    return bytes === undefined ? null : unpacked(bytes)
  }

  *entries(): Generator<readonly CopiedEntry[]> {
    let from: { start: Buffer; exclusiveStart: boolean } = { start: FIRST, exclusiveStart: false }
    for (;;) {
      const range = { ...from, limit: PAGE }
      const found = failing(() => [...this.entriesOf.getRange(range)])
      const last = found.at(-1)
      if (last === undefined) return
      from = { start: last.key, exclusiveStart: true }
      yield found.map(({ value }) => unpacked(value))
    }
  }

  async append(run: CopiedRun, origin: CheckpointOrigin): Promise<boolean> {
    return failing(() => this.entriesOf.transactionSync(() => this.write(run, origin)))
  }

  private write({ from, to, records }: CopiedRun, origin: CheckpointOrigin): boolean {
    if (this.offset !== from) return false
    for (const { key, value, loggedAt } of records) {
      if (key === null) continue
      if (value === null) this.entriesOf.removeSync(storedKey(key))
      else this.entriesOf.putSync(storedKey(key), packed({ key, value, loggedAt }))
    }
    const { topicId, epoch, version, at } = origin
    const header: Header = { topicId, epoch, version, at, offset: to }
    this.entriesOf.putSync(HEADER, Buffer.from(JSON.stringify(header)))
    return true
  }

  async clear(): Promise<void> {
    failing(() => this.entriesOf.clearSync())
  }

  async close(): Promise<void> {
    await this.entriesOf.close()
  }
}

/** A key that is too long is stored under its hash. */
function storedKey(key: string): Buffer {
  const bytes = Buffer.from(key)
  return bytes.length <= LONGEST_KEY ? bytes : Buffer.concat([bytes.subarray(0, LONGEST_KEY - 32), sha256(key)])
}

/** `loggedAt` (float64), the length of the key (uint32), the key, the value. Little-endian. */
function packed({ key, value, loggedAt }: CopiedEntry): Buffer {
  const length = Buffer.byteLength(key)
  const bytes = Buffer.allocUnsafe(12 + length + value.length)
  bytes.writeDoubleLE(loggedAt, 0)
  bytes.writeUInt32LE(length, 8)
  bytes.write(key, 12)
  value.copy(bytes, 12 + length)
  return bytes
}

function unpacked(bytes: Buffer): CopiedEntry {
  const end = 12 + bytes.readUInt32LE(8)
  return { loggedAt: bytes.readDoubleLE(0), key: bytes.toString('utf8', 12, end), value: bytes.subarray(end) }
}
