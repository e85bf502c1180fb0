import { setTimeout } from 'node:timers/promises'
import kafkajs from 'kafkajs'
import { RecordTooLarge } from '../../ports/log.ts'

const NOT_OURS = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
])

/** What a broker says to a member whose partitions are another's. */
export const saysNotOurs = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'type' in cause && NOT_OURS.has(String(cause.type))

/** kafkajs ends for good on a TypeError and the like; as an error of its own kind it is tried again. */
export const again = (cause: unknown): Error =>
  cause instanceof kafkajs.KafkaJSError
    ? cause
    : new kafkajs.KafkaJSError(cause instanceof Error ? cause : new Error('a batch failed', { cause }), {
        retriable: true,
      })

/** Names of errors of kafkajs: a broker that was away and is back does not know yet who coordinates a group, or is away again. */
const OF_AN_OUTAGE = new Set(['KafkaJSGroupCoordinatorNotFound', 'KafkaJSNumberOfRetriesExceeded'])

/** kafkajs calls some errors final that pass with the outage they come of. */
export function mayComeBack(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return OF_AN_OUTAGE.has(cause.name) || mayComeBack(cause.cause)
}

const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

/** Why the broker did not take records, in the words of the port. */
export const refusedRecords = (message: string, cause: unknown): Error =>
  saysTooLarge(cause) ? new RecordTooLarge(message, { cause }) : new Error(message, { cause })

const saysTooLarge = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'type' in cause && TOO_LARGE.has(String(cause.type))

const LOOK_EVERY_MS = 100

/** What a broker says when it is too early, and how often it is asked, a tenth of a second apart. */
interface TooEarly {
  /** Of errors of the protocol, by kafkajs's names. */
  readonly types: ReadonlySet<string>
  readonly looks: number
}

/** The answer, once a broker is ready to give one. Throws any other error at once, and the last one when it never was. */
export async function onceReady<Answer>(ask: () => Promise<Answer>, { types, looks }: TooEarly): Promise<Answer> {
  for (let look = 1; ; look++) {
    try {
      return await ask()
    } catch (cause) {
      const isEarly = cause instanceof Error && 'type' in cause && types.has(String(cause.type))
      if (!isEarly || look === looks) throw cause
      await setTimeout(LOOK_EVERY_MS)
    }
  }
}
