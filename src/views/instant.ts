import { z } from 'zod'
import { EARLIEST_MOMENT, LATEST_MOMENT } from '../domain/intake/articles.ts'

/**
 * Milliseconds since 1970 in the store's text format, UTC: `2018-12-31 00:00:00.000`. Dates are clamped to the store's
 * range, because a date outside it would make every retry of the batch fail.
 */
export const instant = (ms: number): string =>
  new Date(Math.min(Math.max(ms, EARLIEST_MOMENT), LATEST_MOMENT)).toISOString().slice(0, 23).replace('T', ' ')

export const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instant(ms))

/** A query's parameter of type `DateTime64(3, 'UTC')`, given in milliseconds since 1970. */
export const moment = z.number().transform(instant)

/** Before and after every time in a table: for a window without a start, and for the current state. */
export const ALWAYS = EARLIEST_MOMENT
export const NOW_AND_LATER = LATEST_MOMENT
