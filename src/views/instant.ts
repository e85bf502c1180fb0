import { z } from 'zod'

/** The span that a DateTime64(3) holds; a date beyond it would make the store refuse the batch for ever. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2299, 0, 1)

/** Milliseconds since 1970 as the store reads them, UTC: `2018-12-31 00:00:00.000`. */
export const instant = (ms: number): string =>
  new Date(Math.min(Math.max(ms, EARLIEST), LATEST)).toISOString().slice(0, 23).replace('T', ' ')

export const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instant(ms))

/** A query's parameter of type `DateTime64(3, 'UTC')`, given in milliseconds since 1970. */
export const moment = z.number().transform(instant)

/** Before and after everything a table can hold: a window without a start, and "as it stands now". */
export const ALWAYS = EARLIEST
export const NOW_AND_LATER = LATEST
