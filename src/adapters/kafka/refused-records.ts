import { RecordTooLarge } from '../../ports/log.ts'

const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

/** Why the broker did not take records, in the words of the port. */
export const refusedRecords = (message: string, cause: unknown): Error =>
  saysTooLarge(cause) ? new RecordTooLarge(message, { cause }) : new Error(message, { cause })

const saysTooLarge = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'type' in cause && TOO_LARGE.has(String(cause.type))
