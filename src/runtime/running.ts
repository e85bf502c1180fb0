import type { Logger } from 'pino'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log } from '../ports/log.ts'
import type { Metrics } from './metrics.ts'

export interface Limits {
  /** A stage stops when it refuses at least so many of its last `floodWindow` inputs, and more than half; 0: never. */
  readonly floodRejects: number
  readonly floodWindow: number
  /** A batch is worked through in parts of about this long, so that what is done is soon committed. */
  readonly partMs: number
  /** The same for a stage with memory: its decisions hold up everything else in the process. */
  readonly memoryPartMs: number
  readonly partRecords: number
  /** So long after a record was logged, whatever was logged before it in other topics can be read. */
  readonly settleMs: number
  /** The first wait after a failure is at most this, each further one at most twice the one before. */
  readonly firstBackoffMs: number
  readonly longestBackoffMs: number
  readonly heartbeatMs: number
  /** A message that was alone in hand at so many crashes of the process is set aside. */
  readonly crashes: number
  /** An input whose decision (pure, so never a matter of a bad day) throws so often is set aside. */
  readonly throws: number
}

export const defaultLimits: Limits = {
  floodRejects: 50,
  floodWindow: 200,
  partMs: 2000,
  memoryPartMs: 300,
  partRecords: 500,
  settleMs: 50,
  firstBackoffMs: 200,
  longestBackoffMs: 15_000,
  heartbeatMs: 1000,
  crashes: 3,
  throws: 3,
}

/** Everything a stage or view runs on; wired in main. */
export interface RuntimePorts {
  readonly log: Log
  readonly codec: Codec
  readonly clock: Clock
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly metrics: Metrics
  readonly limits: Limits
  /** A consumer has ended for good, or a stage has stopped itself: the process should end with an error. */
  readonly onCrash: (cause: Error) => void
}
