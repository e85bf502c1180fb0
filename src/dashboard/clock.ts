/** Milliseconds since 1970. The one place where the page looks at a clock. */
export const now = (): number => Date.now()
