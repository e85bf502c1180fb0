import { z } from 'zod'
import { EARLIEST_MOMENT, LATEST_MOMENT } from '../domain/intake/articles.ts'

/**
 * Milliseconds since 1970 as the store reads them, UTC: `2018-12-31 00:00:00.000`. A date beyond what the store holds
 * would make it refuse the batch for ever.
 */
export const instant = (ms: number): string =>
  new Date(Math.min(Math.max(ms, EARLIEST_MOMENT), LATEST_MOMENT)).toISOString().slice(0, 23).replace('T', ' ')

export const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instant(ms))

/** A query's parameter of type `DateTime64(3, 'UTC')`, given in milliseconds since 1970. */
export const moment = z.number().transform(instant)

/** Before and after everything a table can hold: a window without a start, and "as it stands now". */
export const ALWAYS = EARLIEST_MOMENT
export const NOW_AND_LATER = LATEST_MOMENT
