export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** The UTC day of a time, in days since 1970. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS)

/** The day as text: `2018-12-31`. */
export const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Widths of the buckets of a time series, in milliseconds. */
export const RESOLUTIONS = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '1d': DAY_MS } as const
export type Resolution = keyof typeof RESOLUTIONS
