import { CheckpointFailed, type ChangelogCopies } from '../ports/checkpoints.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'
import type { Topic } from '../events/topic.ts'
import { openCheckpoint, tailOf, type ChangelogPartition, type OpenedCheckpoint } from './checkpoint.ts'

/** The rows of a table, and of which stage and partition. */
export interface DiskTablePartition<Row> {
  readonly stage: string
  readonly partition: number
  readonly changelog: Topic<Row>
}

export interface DiskTablePorts {
  readonly log: Log
  readonly codec: Codec
  readonly clock: Pick<Clock, 'now'>
  readonly checkpoints: ChangelogCopies
}

/** A copy of a table is valid for all versions of its stage: it holds the bytes of the changelog. */
const COPY_VERSION = '1'

export const tablePartition = (
  { stage, changelog }: Pick<DiskTablePartition<unknown>, 'stage'> & { readonly changelog: { readonly name: string } },
  partition: number,
): ChangelogPartition => ({
  stage: `${stage}-table`,
  version: COPY_VERSION,
  topic: changelog.name,
  partition,
  keepsAll: true,
})

/** Rows in memory from which on they are looked for on disk. */
const GENERATION = 4_096

/**
 * One partition of a compacted topic whose values are looked up by key. The rows are in a local copy of the topic; only
 * those that the copy may lack are in memory. A new copy is filled in the background, see `complete`.
 */
export class DiskTable<Row> {
  /** Resolves when the copy has all rows that were written before it was opened. */
  readonly complete: Promise<void>
  private readonly table: DiskTablePartition<Row>
  private readonly ports: DiskTablePorts
  private readonly opened: OpenedCheckpoint
  /** Rows that were set last, and those set before them, which the copy has once it has reached an offset. */
  private newest = new Map<string, Row>()
  private older: { readonly rows: ReadonlyMap<string, Row>; readonly until: number } | null = null
  private isClosed = false
  /** The end of the changelog up to which the copy was filled; `null` until then. */
  private filledTo: number | null = null

  private constructor(table: DiskTablePartition<Row>, ports: DiskTablePorts, opened: OpenedCheckpoint) {
    this.table = table
    this.ports = ports
    this.opened = opened
    this.complete = this.fill()
    this.complete.catch(() => undefined) // a lookup reports the error
  }

  /** The previous writer of the partition must be fenced. */
  static async open<Row>(table: DiskTablePartition<Row>, ports: DiskTablePorts): Promise<DiskTable<Row>> {
    return new DiskTable(table, ports, await openCheckpoint(tablePartition(table, table.partition), ports))
  }

  get isComplete(): boolean {
    return this.filledTo !== null
  }

  /** The number of rows in memory. */
  get inMemory(): number {
    return this.newest.size + (this.older?.rows.size ?? 0)
  }

  /** The rows of these keys. Waits until the copy is complete if a key is not in memory. */
  async rows(keys: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const found = new Map<string, Row>()
    for (const key of keys) {
      const row = this.newest.get(key) ?? this.older?.rows.get(key) ?? (await this.stored(key))
      if (row !== null) found.set(key, row)
    }
    return found
  }

  /** Sets rows that the current transaction writes. */
  set(rows: readonly Row[]): void {
    for (const row of rows) this.newest.set(this.table.changelog.key(row), row)
  }

  /** Called after each transaction. Drops rows that the copy has by now. */
  async committed(): Promise<void> {
    const { copy } = this.opened
    if (this.older !== null && copy.offset >= this.older.until) this.older = null
    if (this.older !== null || this.newest.size < GENERATION) return
    this.older = { rows: this.newest, until: await this.end() }
    this.newest = new Map()
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.complete.catch(() => undefined)
    await this.opened.copy.close()
  }

  private async stored(key: string): Promise<Row | null> {
    await this.complete
    const { copy } = this.opened
    const entry = copy.get(key)
    if (copy.offset < (this.filledTo ?? Infinity)) throw new CheckpointFailed('the local copy of a table was emptied')
    if (entry === null) return null
    const { changelog } = this.table
    const decoded = await this.ports.codec.decode(changelog, entry.value)
    if (decoded.kind === 'event') return decoded.event
    throw new Error(`${changelog.name} holds a row that cannot be decoded, ${key}: ${decoded.reason}`)
  }

  /** Another reader of the log may extend the same copy, and may stop before the end. */
  private async fill(): Promise<void> {
    const end = await this.end()
    const { copy } = this.opened
    const changelog = tablePartition(this.table, this.table.partition)
    while (copy.offset < end && !this.isStopping()) {
      const tail = tailOf(changelog, { ...this.opened, from: copy.offset }, this.ports.log)
      for (let read = await tail.next(); read.done !== true && !this.isStopping();) read = await tail.next()
    }
    if (!this.isStopping()) this.filledTo = end
  }

  private isStopping(): boolean {
    return this.isClosed
  }

  private async end(): Promise<number> {
    const { changelog, partition } = this.table
    return (await this.ports.log.ends(changelog.name))[partition] ?? 0
  }
}
