import type { Clock } from '../ports/clock.ts'
import type { OutRecord } from '../ports/log.ts'
import type { RecordPart } from './consume-parts.ts'

/** A commit only says where a restart reads from, so this delay costs a restart a few more records. */
const EVERY_MS = 500

/** Commits the newest offset in the background, at most once per interval: nothing waits for the broker. */
export class LateCommit {
  private readonly clock: Clock
  private readonly ending = new AbortController()
  private newest: { readonly part: RecordPart; readonly at: number } | null = null
  private going: Promise<void> | null = null

  constructor(clock: Clock) {
    this.clock = clock
  }

  want(part: RecordPart, at: number): void {
    this.newest = { part, at }
    this.going ??= this.go()
  }

  /** Commits the newest offset, if the partition is still assigned. */
  async end(): Promise<void> {
    this.ending.abort()
    await this.going
  }

  private async go(): Promise<void> {
    while (this.newest !== null) {
      const { part, at } = this.newest
      this.newest = null
      await part.commit(at).catch(() => undefined) // not ours any more: the next owner commits
      if (!this.ending.signal.aborted) await this.clock.sleep(EVERY_MS, this.ending.signal)
    }
    this.going = null
  }
}

interface WaitingRecord {
  readonly record: OutRecord
  readonly written: () => void
  readonly failed: (cause: unknown) => void
}

/** Batches records that are written concurrently: those that arrive during a request go into the next one. */
export class Recording {
  private readonly write: (records: readonly OutRecord[]) => Promise<void>
  private waiting: WaitingRecord[] = []
  private writing = false

  constructor(write: (records: readonly OutRecord[]) => Promise<void>) {
    this.write = write
  }

  /** Resolves when the record is written. */
  async add(record: OutRecord): Promise<void> {
    await new Promise<void>((written, failed) => {
      this.waiting.push({ record, written, failed })
      void this.flush()
    })
  }

  private async flush(): Promise<void> {
    if (this.writing) return
    this.writing = true
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0)
      try {
        await this.write(some.map(({ record }) => record))
        for (const { written } of some) written()
      } catch (cause) {
        for (const { failed } of some) failed(cause)
      }
    }
    this.writing = false
  }
}
