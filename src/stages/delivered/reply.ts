import { noAnswerReason, type NoAnswer } from '../../domain/no-answer.ts'
import type { NoReply } from './verdict.ts'

interface ReplyOfOptions {
  readonly signal: AbortSignal
  /** Called for an internal error: an attempt could not be made. */
  readonly onInternal: (cause: unknown) => void
}

/** The reply to an attempt, or why there is none. Throws only if the attempt was aborted. */
export async function replyOf<Reply>(
  attempt: () => Promise<Reply>,
  { signal, onInternal }: ReplyOfOptions,
): Promise<Reply | NoReply> {
  try {
    return await attempt()
  } catch (cause) {
    if (signal.aborted) throw cause // neither the receiver's fault nor to be recorded
    const error = noAnswerReason(cause)
    if (INTERNAL_ERRORS.has(error)) onInternal(cause)
    return { status: null, error }
  }
}

const INTERNAL_ERRORS: ReadonlySet<NoAnswer> = new Set(['internal', 'secret_unreadable', 'no_mail_server'])
