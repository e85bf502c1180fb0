/** Milliseconds since 1970. The only file that reads the clock. */
export const now = (): number => Date.now()
