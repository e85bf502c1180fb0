/** Rounds to 6 decimals, which hides floating-point differences between sums. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
