/** What every event carries. Times are milliseconds since 1970 (UTC). */
export interface Envelope {
  /** A pure function of stage, stage version, input event id and ordinal: a repeated batch emits the same id. */
  readonly event_id: string
  readonly namespace: string
  /** Event time: when it happened in the world, never when it was processed. */
  readonly occurred_at: number
  readonly caused_by: CausedBy | null
  readonly produced_by: ProducedBy
}

/** The place of the record that led to this event. */
export interface CausedBy {
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

export interface ProducedBy {
  readonly stage: string
  readonly version: string
}
