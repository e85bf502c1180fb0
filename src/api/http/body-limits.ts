/** What request bodies may take of an instance. */
export interface BodyLimits {
  /** Bytes of all bodies that are being received or worked on. */
  readonly bytes: number
  /** Bytes of one caller's. */
  readonly bytesOfOne: number
  /** A body that has not arrived this long after its reading began is refused. */
  readonly deadlineMs: number
}

export const BODY_LIMITS: BodyLimits = { bytes: 96 * 1024 * 1024, bytesOfOne: 32 * 1024 * 1024, deadlineMs: 30_000 }

/** Why a body was not received. */
export type BodyRefusal = 'deadline' | 'waited_too_long' | 'caller_queue_full' | 'queue_full'

/** What the metrics of the process learn of bodies. */
export interface BodyReport {
  readonly waiting: (requests: number) => void
  readonly refused: (reason: BodyRefusal) => void
}
