import { setTimeout } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { RecordTooLarge } from '../../ports/log.ts'

const NOT_OURS = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
])

/** Whether the broker says that the partitions are assigned to another member. */
export const saysNotOurs = (cause: unknown): boolean => hasType(cause, NOT_OURS)

/** Whether an error of the protocol has one of these names, which are kafkajs's. */
const hasType = (cause: unknown, types: ReadonlySet<string>): boolean =>
  typeof cause === 'object' && cause !== null && 'type' in cause && types.has(String(cause.type))

/** kafkajs stops for good on a `TypeError` and the like; wrapped in an error of its own it retries. */
export const again = (cause: unknown): Error =>
  cause instanceof kafkajs.KafkaJSError
    ? cause
    : new kafkajs.KafkaJSError(cause instanceof Error ? cause : new Error('a batch failed', { cause }), {
        retriable: true,
      })

/** Errors of kafkajs during an outage: a restarted broker does not know the coordinator of a group yet. */
const OF_AN_OUTAGE = new Set(['KafkaJSGroupCoordinatorNotFound', 'KafkaJSNumberOfRetriesExceeded'])

/** Whether an error that kafkajs calls final passes with the outage. */
export function mayComeBack(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return OF_AN_OUTAGE.has(cause.name) || mayComeBack(cause.cause)
}

const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

/** The port's error for records that the broker did not accept. */
export const refusedRecords = (message: string, cause: unknown): Error =>
  hasType(cause, TOO_LARGE) ? new RecordTooLarge(message, { cause }) : new Error(message, { cause })

const LOOK_EVERY_MS = 100

/** The errors of a broker that is not ready, and how often to retry, a tenth of a second apart. */
interface TooEarly {
  readonly types: ReadonlySet<string>
  readonly looks: number
}

/** Retries a request until the broker is ready. Throws any other error at once, and the last one if it never is. */
export async function onceReady<Answer>(ask: () => Promise<Answer>, { types, looks }: TooEarly): Promise<Answer> {
  for (let look = 1; ; look++) {
    try {
      return await ask()
    } catch (cause) {
      if (!hasType(cause, types) || look === looks) throw cause
      await setTimeout(LOOK_EVERY_MS)
    }
  }
}
