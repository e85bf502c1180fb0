/** 1 January 1900 and the end of 2299, UTC: the dates our store can keep. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2300, 0, 1) - 1

/** Whole milliseconds within the years 1900 to 2299. */
export const isDate = (published: number): boolean =>
  Number.isSafeInteger(published) && published >= EARLIEST && published <= LATEST

/** Event time: the publication, at most the arrival; the arrival where there is no date. */
export const occurredAt = (published: number | null, loggedAt: number): number =>
  published === null ? loggedAt : Math.min(published, loggedAt)
