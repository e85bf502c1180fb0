import type { OutRecord } from '../ports/log.ts'

interface WaitingRecord {
  readonly record: OutRecord
  readonly written: () => void
  readonly failed: (cause: unknown) => void
}

/** Records that many write at once, each awaited: what comes while one request is under way goes with the next. */
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
