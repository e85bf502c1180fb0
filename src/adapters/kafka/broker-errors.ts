import { setTimeout } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { RecordTooLarge } from '../../ports/log.ts'

const REVOKED = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
])

/** Whether the error means that the partitions are assigned to another member. */
export const showsRevocation = (cause: unknown): boolean => hasType(cause, REVOKED)

/** Whether a broker refused a request because it does not coordinate the group any more. */
export const isMoved = (cause: unknown): boolean => hasType(cause, new Set(['NOT_COORDINATOR_FOR_GROUP']))

/** Whether an error has one of these types (kafkajs names of Kafka protocol errors). */
const hasType = (cause: unknown, types: ReadonlySet<string>): boolean =>
  typeof cause === 'object' && cause !== null && 'type' in cause && types.has(String(cause.type))

/** kafkajs ends the consumer on a `TypeError` and similar errors. Wrapped in a retriable kafkajs error, it retries. */
export const retriable = (cause: unknown): Error =>
  cause instanceof kafkajs.KafkaJSError
    ? cause
    : new kafkajs.KafkaJSError(cause instanceof Error ? cause : new Error('a batch failed', { cause }), {
        retriable: true,
      })

/** kafkajs errors during an outage. A restarted broker does not know the group coordinator yet. */
const OUTAGE = new Set(['KafkaJSGroupCoordinatorNotFound', 'KafkaJSNumberOfRetriesExceeded'])

/** Whether an error that kafkajs treats as fatal can disappear when the outage ends. */
export function isOutage(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return OUTAGE.has(cause.name) || isOutage(cause.cause)
}

const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

/** The port's error for records that the broker rejected. */
export const refusedRecords = (message: string, cause: unknown): Error =>
  hasType(cause, TOO_LARGE) ? new RecordTooLarge(message, { cause }) : new Error(message, { cause })

const RETRY_EVERY_MS = 100

/** Error types of a broker that is not ready yet, and the maximum number of attempts, 100 ms apart. */
interface NotReady {
  readonly types: ReadonlySet<string>
  readonly attempts: number
}

/**
 * Retries a request until the broker is ready. Rethrows any other error immediately, and the last one after `attempts`
 * attempts.
 */
export async function onceReady<Answer>(ask: () => Promise<Answer>, { types, attempts }: NotReady): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (cause) {
      if (!hasType(cause, types) || attempt === attempts) throw cause
      await setTimeout(RETRY_EVERY_MS)
    }
  }
}
