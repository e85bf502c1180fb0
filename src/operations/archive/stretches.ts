import type { ArchivedRecord, RestoredStretch } from '../../ports/restorer.ts'

const MAX_RECORDS = 500
const MAX_BYTES = 900_000
/** Maximum number of offsets per aborted transaction: a transaction must not stay open for long. */
const MAX_SKIPPED = 20_000

/**
 * The steps that restore records of one partition into an empty one at their original offsets, up to `end` (after the
 * markers that follow the last record). References to positions in the log thus stay valid in the copy.
 */
export function* stretches(blocks: Iterable<readonly ArchivedRecord[]>, end: number): Iterable<RestoredStretch> {
  const writer = new StretchWriter()
  for (const block of blocks) for (const record of block) yield* writer.take(record)
  yield* writer.finish(end)
}

class StretchWriter {
  /** Records not yet written: a gap of one offset after them is the marker of their transaction. */
  private pending: ArchivedRecord[] = []
  private bytes = 0
  private next = 0
  private timestamp = 0;

  *take(record: ArchivedRecord): Iterable<RestoredStretch> {
    yield* this.skipTo(record.offset, record.timestamp)
    if (this.pending.length >= MAX_RECORDS || this.bytes >= MAX_BYTES)
      yield { kind: 'records', records: this.takePending() }
    this.pending.push(record)
    this.bytes += record.value?.length ?? 0
    this.next = record.offset + 1
    this.timestamp = record.timestamp
  }

  *finish(end: number): Iterable<RestoredStretch> {
    yield* this.skipTo(end, this.timestamp)
    if (this.pending.length > 0) yield { kind: 'records', records: this.takePending() }
  }

  private *skipTo(offset: number, timestamp: number): Iterable<RestoredStretch> {
    const gap = offset - this.next
    if (gap < 0) throw new Error(`offset ${offset} follows ${this.next - 1}: the archive is out of order`)
    if (gap === 0) return
    if (gap === 1 && this.pending.length > 0) yield { kind: 'committed', records: this.takePending() }
    else if (gap === 1) yield { kind: 'tombstone', timestamp }
    else {
      if (this.pending.length > 0) yield { kind: 'records', records: this.takePending() }
      yield* skippedOffsets(gap, timestamp)
    }
    this.next = offset
  }

  private takePending(): readonly ArchivedRecord[] {
    const records = this.pending
    this.pending = []
    this.bytes = 0
    return records
  }
}

function* skippedOffsets(gap: number, timestamp: number): Iterable<RestoredStretch> {
  for (let left = gap; left > 0;) {
    // avoids a last step of a single offset
    const offsets = left <= MAX_SKIPPED ? left : left - MAX_SKIPPED === 1 ? MAX_SKIPPED - 1 : MAX_SKIPPED
    yield { kind: 'nothing', offsets, timestamp }
    left -= offsets
  }
}
