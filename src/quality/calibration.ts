/** Something that was said to hold with a probability from 0 to 1, and whether it did. */
export interface Forecast {
  readonly probability: number
  readonly held: boolean
}

const BINS = 10

/**
 * Expected calibration error over ten bins of equal width: the mean distance between what was said and what came true, bins
 * weighted by how many forecasts they have. 0 where there are none.
 */
export function calibrationError(forecasts: readonly Forecast[]): number {
  const excess = new Array<number>(BINS).fill(0)
  for (const { probability, held } of forecasts) {
    const bin = Math.min(BINS - 1, Math.floor(probability * BINS))
    excess[bin] = (excess[bin] ?? 0) + probability - Number(held)
  }
  return excess.reduce((sum, each) => sum + Math.abs(each), 0) / Math.max(1, forecasts.length)
}
