import type { Clock } from '../../ports/clock.ts'

const SOON_MS = 250
const LATEST_MS = 30_000

interface DueLook {
  readonly end: number
  readonly again: number
  readonly waitMs: number
}

/**
 * Whether a partition is worth reading. Its end may lie behind markers of transactions, which no reader ever sees, or
 * behind records of a transaction that is still open: so as long as the end stays where it is, looks become rarer.
 */
export class FeedDue {
  private readonly clock: Clock
  private looks = new Map<number, DueLook>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  begin(): void {
    this.looks = new Map()
  }

  is(partition: number, end: number, next: number): boolean {
    if (next >= end) return false
    const last = this.looks.get(partition)
    return last?.end !== end || this.clock.now() >= last.again
  }

  /** After a reading that went as far as `next`. */
  looked(partition: number, end: number, next: number): void {
    const last = this.looks.get(partition)
    const waitMs = last?.end === end && next < end ? Math.min(last.waitMs * 2, LATEST_MS) : SOON_MS
    this.looks.set(partition, { end, waitMs, again: this.clock.now() + waitMs })
  }
}
