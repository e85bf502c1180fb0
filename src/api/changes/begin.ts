import { InvalidCursor } from '../../views/cursor.ts'
import { CursorExpired, goOn, readCursor, type Begin } from '../../views/changes/position.ts'
import { problem, validationFailed, type Problem } from '../http/problem.ts'

const BEGIN_AGAIN =
  'The cursor is older than 30 days, and some of what followed it is gone: begin again without a cursor, and read from ' +
  'the lists (/v1/clusters, /v1/stories, /v1/entities, /v1/trends) how things stand now'

export interface BeginOptions {
  readonly cursor: string
  /** How the caller sent it. */
  readonly name: 'cursor' | 'Last-Event-ID'
  readonly namespace: string
  readonly now: number
}

/** Behind a cursor, or why not. */
export function beginAt({ cursor, name, namespace, now }: BeginOptions): Begin | Problem {
  try {
    return goOn(readCursor(cursor, namespace, now))
  } catch (cause) {
    if (cause instanceof CursorExpired) return problem('cursor_expired', BEGIN_AGAIN)
    if (cause instanceof InvalidCursor) return validationFailed([{ path: name, message: cause.message }])
    throw cause
  }
}
