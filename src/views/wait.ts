/** Rows that no client waits for with a job in hand may gather for half a second: an insert costs the same for one as for many. */
export const NOBODY_POLLS_MS = 500
