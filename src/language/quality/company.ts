import type { Lexicon } from './lexicon.ts'
import type { Scan } from './counts.ts'

/** Sentences to either side that a sentence is judged with: one advertisement does not spoil a report, nor the reverse. */
const NEIGHBOURS = 3

/** Fewer words count as so many: two words prove nothing. */
const FEWEST_WORDS = 5

/** Fitted by logistic regression on sentences of news against offers, notices, terms, letters; rounded by hand. */
const BIAS = 0
const WEIGHTS = {
  address: -1.6,
  trade: -3.6,
  generality: -0.9,
  report: 2.6,
  names: 1.25,
  numbers: -1,
  quoted: 2,
  exclamations: -0.8,
} as const

/** News has about one sentence in twenty words, slogans have three. */
const SHORT = { beyond: 0.6, weight: -4 } as const

interface Passage {
  readonly words: number
  readonly sentences: number
  readonly evidence: number
}

const NOTHING: Passage = { words: 0, sentences: 0, evidence: 0 }

/**
 * Which sentences stand in a passage that tells about the world, and not in one that talks to its reader about itself.
 * A linear rule over the words of a sentence and its neighbours. Only English reports are known well enough to ask for
 * evidence of one; elsewhere only what speaks against it is counted.
 */
export function companyOf(scans: readonly Scan[], lexicon: Lexicon): boolean[] {
  if (!lexicon.hasRegister) return scans.map(() => true)
  const sums = [NOTHING]
  for (const found of scans) sums.push(added(sums.at(-1) ?? NOTHING, found, lexicon))
  return scans.map((_, i) => {
    const to = sums[Math.min(scans.length, i + NEIGHBOURS + 1)] ?? NOTHING
    const from = sums[Math.max(0, i - NEIGHBOURS)] ?? NOTHING
    const tens = Math.max(FEWEST_WORDS, to.words - from.words) / 10
    const evidence = (to.evidence - from.evidence) / tens
    return lexicon.hasReports
      ? BIAS + evidence + shortness((to.sentences - from.sentences) / tens) >= 0
      : evidence >= FOREIGN
  })
}

/** Least evidence in a language whose reports we do not know: about one word of trade, or two of address, in twenty. */
const FOREIGN = -2.25

const shortness = (sentencesInTen: number): number => SHORT.weight * Math.max(0, sentencesInTen - SHORT.beyond)

const added = ({ words, sentences, evidence }: Passage, found: Scan, lexicon: Lexicon): Passage => ({
  words: words + found.words.length,
  sentences: sentences + 1,
  evidence: evidence + (lexicon.hasReports ? forReport(found) : 0) + againstReport(found),
})

const forReport = ({ report, names, numbers, quotes }: Scan): number =>
  WEIGHTS.report * report + WEIGHTS.names * names + WEIGHTS.numbers * numbers + (quotes > 0 ? WEIGHTS.quoted : 0)

/** What a quoted person says to somebody is not said to the reader. */
const againstReport = ({ address, trade, generality, exclamations, quotes }: Scan): number =>
  (quotes > 0 ? 0 : WEIGHTS.address * address) +
  WEIGHTS.trade * trade +
  WEIGHTS.generality * generality +
  WEIGHTS.exclamations * exclamations
