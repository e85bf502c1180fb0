import type { SentimentLabel } from '../../events/articles.ts'

/** From here on a score is a feeling: positive at +0.15 and above, negative at -0.15 and below. */
export const FEELS = 0.15

export function sentimentLabel(score: number): SentimentLabel {
  if (score >= FEELS) return 'positive'
  return score <= -FEELS ? 'negative' : 'neutral'
}
