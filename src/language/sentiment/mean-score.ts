/** A score of a stretch of text; `length` in characters. */
export interface WeighedScore {
  readonly score: number
  readonly length: number
}

/** Mean of scores weighted by length, -1 to 1; 0 for nothing at all. */
export function meanScore(scores: readonly WeighedScore[]): number {
  const total = scores.reduce((sum, { length }) => sum + length, 0)
  return total === 0 ? 0 : scores.reduce((sum, { score, length }) => sum + score * length, 0) / total
}
