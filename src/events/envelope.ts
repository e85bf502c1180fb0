/** Fields of every event. Times are milliseconds since 1970 (UTC). */
export interface Envelope {
  /** Derived from stage, stage version, input event id and ordinal, so that a repeated batch emits the same ids. */
  readonly event_id: string
  readonly namespace: string
  /** Event time: when it happened, not when it was processed. */
  readonly occurred_at: number
  readonly caused_by: CausedBy | null
  readonly produced_by: ProducedBy
}

/** Position of the record that caused this event. */
export interface CausedBy {
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

export interface ProducedBy {
  readonly stage: string
  readonly version: string
}
