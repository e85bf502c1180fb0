import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The caller's mistake: a cursor we did not write, or one of another list. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor'
}

/**
 * Opaque key-set cursors of one list: where a page ended, at which `as_of`, for which filters. The checksum tells a
 * damaged or foreign cursor from a good one; it is no secret, and nothing in a cursor grants anything.
 */
export interface Cursors<Position> {
  write(position: Position, filters: unknown): string
  /** Throws `InvalidCursor`. */
  read(cursor: string, filters: unknown): Position
  /** Where to begin: at the cursor, or at `start` when there is none. Throws `InvalidCursor`. */
  begin(cursor: string | undefined, filters: unknown, start: Position): Position
}

export function cursors<Position>(list: string, position: z.ZodType<Position>): Cursors<Position> {
  const read = (cursor: string, filters: unknown): Position => {
    const text = Buffer.from(cursor, 'base64url').toString('utf8')
    const body = text.slice(DIGEST_LENGTH)
    if (text.slice(0, DIGEST_LENGTH) !== digest(list + body)) throw new InvalidCursor('not a cursor of this list')

    const { at, for: filtersThen } = z.object({ at: position, for: z.string() }).parse(JSON.parse(body))
    if (filtersThen !== digest(JSON.stringify(filters))) throw new InvalidCursor('a cursor of other filters')
    return at
  }
  return {
    write: (at, filters) => {
      const body = JSON.stringify({ at, for: digest(JSON.stringify(filters)) })
      return Buffer.from(digest(list + body) + body, 'utf8').toString('base64url')
    },
    read,
    begin: (cursor, filters, start) => (cursor === undefined ? start : read(cursor, filters)),
  }
}

const DIGEST_LENGTH = 12

const digest = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, DIGEST_LENGTH)
