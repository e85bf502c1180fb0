import type { ArchivedRecord, RestoredStretch } from '../../ports/restorer.ts'

const MOST_RECORDS = 500
const MOST_BYTES = 900_000
/** Maximum number of offsets per aborted transaction: a transaction must not stay open for long. */
const MOST_NOTHING = 20_000

/**
 * The steps that restore records of one partition into an empty one at their original offsets, up to `end` (after the
 * markers that follow the last record). References to positions in the log thus stay valid in the copy.
 */
export function* stretches(blocks: Iterable<readonly ArchivedRecord[]>, end: number): Iterable<RestoredStretch> {
  const writing = new Writing()
  for (const block of blocks) for (const record of block) yield* writing.take(record)
  yield* writing.finish(end)
}

class Writing {
  /** Not yet written: a gap after them may be the marker of their transaction. */
  private pending: ArchivedRecord[] = []
  private bytes = 0
  private next = 0
  private timestamp = 0;

  *take(record: ArchivedRecord): Iterable<RestoredStretch> {
    yield* this.skipTo(record.offset, record.timestamp)
    if (this.pending.length >= MOST_RECORDS || this.bytes >= MOST_BYTES)
      yield { kind: 'records', records: this.taken() }
    this.pending.push(record)
    this.bytes += record.value?.length ?? 0
    this.next = record.offset + 1
    this.timestamp = record.timestamp
  }

  *finish(end: number): Iterable<RestoredStretch> {
    yield* this.skipTo(end, this.timestamp)
    if (this.pending.length > 0) yield { kind: 'records', records: this.taken() }
  }

  private *skipTo(offset: number, timestamp: number): Iterable<RestoredStretch> {
    const gap = offset - this.next
    if (gap < 0) throw new Error(`offset ${offset} follows ${this.next - 1}: the archive is out of order`)
    if (gap === 0) return
    if (gap === 1 && this.pending.length > 0) yield { kind: 'committed', records: this.taken() }
    else if (gap === 1) yield { kind: 'tombstone', timestamp }
    else {
      if (this.pending.length > 0) yield { kind: 'records', records: this.taken() }
      yield* nothing(gap, timestamp)
    }
    this.next = offset
  }

  private taken(): readonly ArchivedRecord[] {
    const records = this.pending
    this.pending = []
    this.bytes = 0
    return records
  }
}

function* nothing(gap: number, timestamp: number): Iterable<RestoredStretch> {
  for (let left = gap; left > 0;) {
    // avoids a last step of a single offset
    const offsets = left <= MOST_NOTHING ? left : left - MOST_NOTHING === 1 ? MOST_NOTHING - 1 : MOST_NOTHING
    yield { kind: 'nothing', offsets, timestamp }
    left -= offsets
  }
}
