/** The span that a DateTime64(3) holds; a date beyond it would make the store refuse the batch for ever. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2299, 0, 1)

/** Milliseconds since 1970 as the store reads them, UTC: `2018-12-31 00:00:00.000`. */
export const instant = (ms: number): string =>
  new Date(Math.min(Math.max(ms, EARLIEST), LATEST)).toISOString().slice(0, 23).replace('T', ' ')

export const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instant(ms))
