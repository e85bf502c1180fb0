import type { Logger } from 'pino'
import type { Checkpoints } from '../ports/checkpoints.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'
import type { Metrics } from './metrics.ts'

export interface Limits {
  /**
   * A stage stops if it rejects at least this many of its last `floodWindow` inputs, and more than half of them. 0
   * disables the check.
   */
  readonly floodRejects: number
  readonly floodWindow: number
  /**
   * A batch is processed in parts that take about this long, so that progress is committed soon. For a stateful stage,
   * its write is not included.
   */
  readonly partMs: number
  readonly partRecords: number
  /** This long after a record was logged, everything logged before it in other topics is readable. */
  readonly settleMs: number
  /** The longest wait after the first failure; doubled after each further one. */
  readonly firstBackoffMs: number
  readonly longestBackoffMs: number
  readonly heartbeatMs: number
  /** Local copies of changelogs are extended this often. */
  readonly checkpointMs: number
  /** A state is not saved before this many bytes of its changelog are new. */
  readonly leastSavedBytes: number
  /** Processes that keep the state of a partition, beside its owner. */
  readonly standbyReplicas: number
  /** A record that was alone in progress at this many crashes becomes a dead letter. */
  readonly crashes: number
  /**
   * An input whose decision throws this often becomes a dead letter. Decisions are pure, so an exception is never
   * temporary.
   */
  readonly throws: number
}

export const defaultLimits: Limits = {
  floodRejects: 50,
  floodWindow: 200,
  partMs: 2000,
  partRecords: 500,
  settleMs: 50,
  firstBackoffMs: 200,
  longestBackoffMs: 15_000,
  heartbeatMs: 1000,
  checkpointMs: 5_000,
  leastSavedBytes: 2 * 2 ** 20,
  standbyReplicas: 1,
  crashes: 3,
  throws: 3,
}

/** Everything that a stage, view or effect runs on. */
export interface RuntimePorts {
  readonly log: Log
  readonly codec: Codec
  /** Local copies of changelogs; `null` where there is no disk for them. */
  readonly checkpoints: Checkpoints | null
  readonly clock: Clock
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly metrics: Metrics
  readonly limits: Limits
  /** A consumer has ended or a stage has stopped: the process should exit with an error. */
  readonly onCrash: (cause: Error) => void
}
