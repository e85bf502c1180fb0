import { DAY_MS } from '../../domain/days.ts'
import { z } from 'zod'
import { cursorFields, cursors } from '../cursor.ts'
import { ALWAYS } from '../instant.ts'

/** How far a client has read the feed of a namespace. */
export interface ChangePosition {
  /** Offset of the last change that was returned, or of a later one when there was nothing to return; -1 before the first. */
  readonly after: number
  /** Partition of the namespace; `null` when no change of it was ever seen. */
  readonly partition: number | null
  /** Up to when, by the time of the log, everything was returned: milliseconds since 1970. */
  readonly had: number
}

/** A cursor that had everything up to a moment before that may have missed what is not kept any more. */
const CURSOR_DAYS = 30

/** The cursor is too old to go on from: what came after it may be gone. */
export class CursorExpired extends Error {
  override readonly name = 'CursorExpired'
}

const positions = cursors<ChangePosition>(
  'changes',
  z.object({ after: cursorFields.offset, partition: cursorFields.count.nullable(), had: cursorFields.moment }),
)

/** Opaque; good for polling and for streams, whatever types they ask for. */
export const writeCursor = (position: ChangePosition, namespace: string): string =>
  positions.write(position, [namespace])

/** Throws `InvalidCursor` for one that is damaged, another list's or another namespace's, and `CursorExpired`. */
export function readCursor(cursor: string, namespace: string, now: number): ChangePosition {
  const position = positions.read(cursor, [namespace])
  if (position.had < now - CURSOR_DAYS * DAY_MS) throw new CursorExpired('the cursor is too old')
  return position
}

/** Where to begin, and the log's time before which nothing is wanted. */
export interface Begin {
  readonly position: ChangePosition
  readonly since: number
}

export const goOn = (position: ChangePosition): Begin => ({ position, since: ALWAYS })

/** Nothing before: the reader finds where that is. */
export const fromNow = (now: number): Begin => goOn({ after: -1, partition: null, had: now })

/**
 * The beginning of what is kept. A row lives for 31 days: who begins with those of 30 days has one day to read the
 * oldest, and its cursor is good for as long.
 */
export const fromTheBeginning = (now: number): Begin => ({
  position: { after: -1, partition: null, had: now - (CURSOR_DAYS - 1) * DAY_MS },
  since: now - CURSOR_DAYS * DAY_MS,
})

/** The place after a change. */
export const past = (
  { had }: ChangePosition,
  change: { readonly offset: number; readonly partition: number; readonly logged_at: number },
): ChangePosition => ({ after: change.offset, partition: change.partition, had: Math.max(had, change.logged_at) })
