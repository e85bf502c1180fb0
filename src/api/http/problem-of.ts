import { StoreUnreachable } from '../../ports/store.ts'
import { InvalidCursor } from '../../views/cursor.ts'
import { ClockApart } from '../../state/settings/broker-clock.ts'
import { EngineAway } from './engine-deadline.ts'
import { problem, validationFailed, type Problem } from './problem.ts'

const RETRY_AFTER_SECONDS = 5

/** The problem that a caller gets for an error: no more than it needs to know. */
export function problemOf(error: unknown): Problem {
  if (error instanceof InvalidCursor) return validationFailed([{ path: 'cursor', message: error.message }])
  if (error instanceof EngineAway) {
    return problem('unavailable', awayDetail(error), { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  if (error instanceof ClockApart) {
    return problem('unavailable', `Nothing was persisted: ${error.message}`, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  return problem(
    'internal_error',
    'The service failed to process the request; the request id identifies it in the service log',
  )
}

const awayDetail = ({ cause }: EngineAway): string =>
  cause instanceof StoreUnreachable
    ? `The store (ClickHouse) does not respond; try again in ${RETRY_AFTER_SECONDS} s`
    : 'The service cannot process this request at the moment'
