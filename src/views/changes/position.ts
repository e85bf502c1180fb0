import { DAY_MS } from '../../domain/days.ts'
import { z } from 'zod'
import { cursorFields, cursors } from '../cursor.ts'
import { ALWAYS } from '../instant.ts'

/** How far a client has read the change feed of a namespace. */
export interface ChangePosition {
  /** Offset of the last change that was returned, or a later one without changes to return; -1 before the first. */
  readonly after: number
  /** Partition of the namespace; `null` until its first change was read. */
  readonly partition: number | null
  /** Log time up to which all changes were returned, milliseconds since 1970. */
  readonly had: number
}

/** A cursor older than this expires, because changes after it may have been deleted. */
const CURSOR_DAYS = 30

/** The cursor is too old: changes after it may have been deleted. */
export class CursorExpired extends Error {
  override readonly name = 'CursorExpired'
}

const positions = cursors<ChangePosition>(
  'changes',
  z.object({ after: cursorFields.offset, partition: cursorFields.count.nullable(), had: cursorFields.moment }),
)

/** The cursor is opaque. It is valid for polling and for streams, with any change types. */
export const writeCursor = (position: ChangePosition, namespace: string): string =>
  positions.write(position, [namespace])

/** Throws `InvalidCursor` if the cursor is damaged or belongs to another list or namespace; throws `CursorExpired`. */
export function readCursor(cursor: string, namespace: string, now: number): ChangePosition {
  const position = positions.read(cursor, [namespace])
  if (position.had < now - CURSOR_DAYS * DAY_MS) throw new CursorExpired('the cursor is too old')
  return position
}

/** The start position, and the log time from which changes are returned. */
export interface Begin {
  readonly position: ChangePosition
  readonly since: number
  /** Older changes are retained: the position after an empty page must be past them. */
  readonly isLater?: true
}

export const goOn = (position: ChangePosition): Begin => ({ position, since: ALWAYS })

/** Starts at the end of the feed; the reader determines the offset. */
export const fromNow = (now: number): Begin => goOn({ after: -1, partition: null, had: now })

/**
 * Starts at the oldest retained change. Rows are kept for 31 days: a client that starts with those of 30 days ago has
 * one day to read the oldest ones, and its cursor is valid for as long.
 */
export const fromTheBeginning = (now: number): Begin => ({
  position: { after: -1, partition: null, had: now - (CURSOR_DAYS - 1) * DAY_MS },
  since: now - CURSOR_DAYS * DAY_MS,
})

/** Starts with the changes recorded at `since` or later, within what is retained. */
export function fromTime(since: number, now: number): Begin {
  const oldest = fromTheBeginning(now)
  const had = Math.max(oldest.position.had, Math.min(since, now))
  return { position: { ...oldest.position, had }, since: Math.max(oldest.since, since), isLater: true }
}

/** The position after a change. */
export const past = (
  { had }: ChangePosition,
  change: { readonly offset: number; readonly partition: number; readonly logged_at: number },
): ChangePosition => ({ after: change.offset, partition: change.partition, had: Math.max(had, change.logged_at) })
