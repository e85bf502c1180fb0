import { fall, share } from './curves.ts'
import type { Scan } from './counts.ts'

/** Sentences to either side that a sentence is judged with: one advertisement does not spoil a report, nor the reverse. */
const NEIGHBOURS = 3

/** Fewer words count as so many: one offer among a few words proves nothing. */
const FEWEST_WORDS = 15

interface Sums {
  readonly words: number
  readonly notices: number
}

const NOTHING: Sums = { words: 0, notices: 0 }

/**
 * How informative each sentence is about the world, 1 down to 0: less the more it and its neighbours sell or speak of the page
 * they stand on. Clean up to four such words or pairs in a hundred words, nothing at twelve. Only evidence against a
 * sentence counts: where none is known, as outside English, it is 1.
 */
export function informativenessOf(scans: readonly Scan[]): number[] {
  const sums = [NOTHING]
  for (const { words, notices } of scans) {
    const before = sums.at(-1) ?? NOTHING
    sums.push({ words: before.words + words.length, notices: before.notices + notices })
  }
  return scans.map((_, i) => {
    const to = sums[Math.min(scans.length, i + NEIGHBOURS + 1)] ?? NOTHING
    const from = sums[Math.max(0, i - NEIGHBOURS)] ?? NOTHING
    return fall(share(to.notices - from.notices, Math.max(FEWEST_WORDS, to.words - from.words)), 0.03, 0.09)
  })
}
