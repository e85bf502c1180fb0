import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AsOf } from './query.ts'

/** The caller's error: the service did not issue this cursor, or issued it for another list. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor'
}

/**
 * Opaque keyset cursors of one list: the end of a page, its `as_of` and its filters. The checksum detects damaged
 * cursors and those of other lists. It is not a secret: a cursor grants no access.
 */
export interface Cursors<Position> {
  write(position: Position, filters: unknown): string
  /** Throws `InvalidCursor`. */
  read(cursor: string, filters: unknown): Position
  /** The start position: the cursor's, or `start` if there is none. Throws `InvalidCursor`. */
  begin(cursor: string | undefined, filters: unknown, start: Position): Position
}

export function cursors<Position>(list: string, position: z.ZodType<Position>): Cursors<Position> {
  const Body = z.object({ at: position, for: z.string() })
  const read = (cursor: string, filters: unknown): Position => {
    const text = Buffer.from(cursor, 'base64url').toString('utf8')
    const body = text.slice(DIGEST_LENGTH)
    if (text.slice(0, DIGEST_LENGTH) !== digest(list + body)) throw notOfThisList()

    const parsed = Body.safeParse(parseJson(body)) // the checksum is not a secret, so the body may be forged
    if (!parsed.success) throw notOfThisList()
    const { at, for: filtersThen } = parsed.data
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

/** The common parameters of a list. All pages of a cursor have the `as_of` of the first page. */
export interface ListQuery extends AsOf {
  /** `false` if `as_of` is the time of the request. */
  readonly as_of_given: boolean
  readonly limit: number
  readonly cursor: string | undefined
}

interface CountedList<Position> extends Pick<ListQuery, 'cursor'> {
  /** The parameters that must not change between pages. */
  readonly filters: unknown
  /** The position before the first entry of the page if there is no cursor. */
  readonly start: Position
}

/** A page of a list with a total: positions count the entries `seen` up to them. */
export function countedPage<Position extends { readonly seen: number }>(
  positions: Cursors<Position>,
  { cursor, filters, start }: CountedList<Position>,
) {
  const after = positions.begin(cursor, filters, start)
  return {
    after,
    /** Entries to skip after `after`; 0 with a cursor, whose position is already past them. */
    offset: cursor === undefined ? start.seen : 0,
    /** `null` if this is the last page; `total`: entries on all pages. */
    nextCursor: <Row>(
      rows: readonly Row[],
      total: number,
      positionOf: (last: Row, seen: number) => Position,
    ): string | null => {
      const last = rows.at(-1)
      const seen = after.seen + rows.length
      return last === undefined || seen >= total ? null : positions.write(positionOf(last, seen), filters)
    },
  }
}

/**
 * Fields of positions, as narrow as the query parameters that they become: a forged value outside these ranges would
 * fail in the store. `moment`: milliseconds since 1970 within the range of `Date`. `count`: 0 or more. `offset`: -1 is
 * before the first.
 */
export const cursorFields = {
  moment: z.number().min(-8.64e15).max(8.64e15),
  count: z.int().min(0),
  offset: z.int().min(-1),
} as const

const notOfThisList = (): InvalidCursor => new InvalidCursor('not a cursor of this list')

/** `undefined` if the text is not JSON; no position has this value. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const DIGEST_LENGTH = 12

const digest = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, DIGEST_LENGTH)
