import type { LogRecord, Place } from './log.ts'

/** A record as it is copied: its topic and partition are those of the place to append it at. */
export type MovedRecord = Pick<LogRecord, 'offset' | 'key' | 'value' | 'headers' | 'loggedAt'>

/** Another writer has written to the partition, so a record did not get its offset. */
export class OffsetTaken extends Error {
  override readonly name = 'OffsetTaken'

  constructor({ topic, partition, offset }: Place) {
    super(
      `something else has written to partition ${partition} of the new ${topic}, at offset ${offset}. It was deleted: end the other process and run the command again`,
    )
  }
}

/** Writes to topics that keep the timestamp of each record. */
export interface Appender {
  /** Appends consecutive records. Throws `OffsetTaken` if the first did not get the offset of the place. */
  append(at: Place, records: readonly MovedRecord[]): Promise<void>
  close(): Promise<void>
}
