import type { Log, LogRecord } from '../../ports/log.ts'

/** One partition of a topic, read on from where it was left: what is there already is never read twice. */
export class Tail {
  private readonly log: Pick<Log, 'read'>
  private readonly place: { readonly topic: string; readonly partition: number }
  private next = 0

  constructor(log: Pick<Log, 'read'>, place: { readonly topic: string; readonly partition: number }) {
    this.log = log
    this.place = place
  }

  /** Hands over what came since; answers how many records. */
  async readOn(take: (record: LogRecord) => Promise<void>): Promise<number> {
    let records = 0
    for await (const chunk of this.log.read(this.place.topic, this.place.partition, this.next)) {
      for (const record of chunk) {
        await take(record)
        this.next = record.offset + 1
        records += 1
      }
    }
    return records
  }
}
