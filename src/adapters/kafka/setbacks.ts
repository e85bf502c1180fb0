import kafkajs from 'kafkajs'

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
