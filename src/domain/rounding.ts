/** To 6 decimals, which no sum of floats blurs. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
