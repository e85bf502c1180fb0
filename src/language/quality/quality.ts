import type { QualityParts } from '../../events/articles.ts'
import { FUNCTION_WORDS } from './lexicon.ts'
import { fall, type QualityReading, type ReadSentence, rise, share } from './reading.ts'

/** Grows from 0 towards 1; it is 0.63 at `scale`. */
const saturate = (value: number, scale: number): number => 1 - Math.exp(-value / scale)

/** Weighted geometric mean: a single zero makes it zero. The weights sum to 1. */
const geometric = (parts: readonly (readonly [value: number, weight: number])[]): number =>
  parts.reduce((product, [value, weight]) => product * value ** weight, 1)

/**
 * Amount of informative content, 0 to 1. Length and density are multiplied, because a long text without content is not
 * deep.
 */
export const depth = (reading: QualityReading): number =>
  geometric([
    [length(reading), 0.6],
    [density(reading), 0.25],
    [structure(reading), 0.15],
  ])

/** Words in informative sentences on a logarithmic scale, 0 to 1: 0 at 5, 0.45 at 60, 0.75 at 300, 1 from 1,200. */
export const length = ({ informative }: QualityReading): number =>
  rise(Math.log(Math.max(1, informativeWords(informative))), Math.log(5), Math.log(1_200))

const informativeWords = (sentences: readonly ReadSentence[]): number =>
  sentences.reduce((sum, { length, informativeness }) => sum + length * informativeness, 0)
const wordsIn = (sentences: readonly ReadSentence[]): number => sentences.reduce((sum, { length }) => sum + length, 0)

/** Share of informative words, reduced for repetitive vocabulary and ungrammatical word lists, 0 to 1. */
export const density = (reading: QualityReading): number =>
  geometric([
    [rise(share(informativeWords(reading.informative), wordsIn(reading.sentences)), 0.15, 0.6), 0.5],
    [variety(reading), 0.25],
    [wording(reading), 0.25],
  ])

/**
 * Variety of the content words, 0 to 1. Of the first 300, about three quarters are distinct in news, a fifth in keyword
 * lists.
 */
function variety({ contentWords, commonest }: QualityReading): number {
  const first = contentWords.slice(0, 300)
  const distinct = rise(share(new Set(first).size, first.length), 0.15, 0.4)
  return distinct * (contentWords.length < 20 ? 1 : fall(share(commonest, contentWords.length), 0.12, 0.24))
}

/**
 * Score for the share of function words, 0 to 1. For an unknown language, those of all languages count; without a list
 * the score is 1.
 */
function wording({ text, words, language, totals }: QualityReading): number {
  const ofAll = share(totals.functionWords, words.length)
  if (FUNCTION_WORDS.has(language)) return rise(ofAll, 0.05, 0.2)
  return language === 'und' && LATIN.test(text.slice(0, 1_000)) ? rise(ofAll, 0.03, 0.12) : 1
}

const LATIN = /\p{Script=Latin}/u

/**
 * Share of the text in paragraphs of a readable size, 0 to 1. Fragments of one to four words score 0, one endless
 * paragraph 0.5.
 */
export function structure({ paragraphs }: QualityReading): number {
  const total = paragraphs.reduce((sum, words) => sum + words, 0)
  const inParagraphs = paragraphs.reduce((sum, words) => sum + (words >= 8 ? words : 0), 0)
  const mean = share(total, paragraphs.length)
  return rise(share(inParagraphs, total), 0.2, 0.8) * (0.5 + 0.5 * fall(mean, 250, 1_000))
}

/** Coherence of a text, 0 to 1. */
export const coherence = (reading: QualityReading): number =>
  geometric([
    [sentenceCount(reading), 0.5],
    [sentenceLength(reading), 0.3],
    [sentimentConsistency(reading), 0.2],
  ])

/**
 * Number of informative sentences, scaled towards 1 (0.33 at one, 0.70 at three, 0.98 at ten), times a score for their
 * share of all sentences.
 */
export const sentenceCount = ({ informative, sentences }: QualityReading): number =>
  saturate(informativeness(informative), 2.5) * rise(share(informativeness(informative), sentences.length), 0.05, 0.4)

const informativeness = (sentences: readonly ReadSentence[]): number =>
  sentences.reduce((sum, { informativeness: value }) => sum + value, 0)

/** Score for the mean words per sentence, 0 to 1: 1 from 7 to 35, 0 up to 3 and from 70. */
export function sentenceLength({ sentences }: QualityReading): number {
  const mean = share(wordsIn(sentences), sentences.length)
  return Math.min(rise(mean, 3, 7), fall(mean, 35, 70))
}

/**
 * 1 down to 0.5: lower the more often neighbouring sentences change between clearly positive and clearly negative. Only
 * English has a lexicon (AFINN-165); other languages score 1.
 */
export function sentimentConsistency({ informative }: QualityReading): number {
  let flips = 0
  for (let i = 1; i < informative.length; i++) if (mood(informative[i]) * mood(informative[i - 1]) < 0) flips++
  return 1 - 0.5 * share(flips, informative.length - 1)
}

/** -1 or +1 if the words are clearly negative or positive, otherwise 0. */
const mood = (sentence: ReadSentence | undefined): number => {
  const valence = sentence?.valence ?? 0
  return Math.abs(valence) < 4 ? 0 : Math.sign(valence)
}

/** 1 is clean, 0 is spam. The worst of the four signals counts. */
export const cleanness = (reading: QualityReading): number =>
  Math.min(capitals(reading), repetition(reading), urlDensity(reading), specialCharacters(reading))

/**
 * Share of words in capitals (four letters or more, which excludes agencies' names): clean up to 10 %, spam from 33 %.
 */
export const capitals = ({ words, totals }: QualityReading): number =>
  fall(share(totals.shouted, words.length), 0.1, 0.33)

/**
 * Share of the most frequent content word (clean up to 8 %, spam from 20 %), and of repeated sentences (20 %, 60 %).
 */
export function repetition({ words, commonest, sentences, totals }: QualityReading): number {
  const ofWords = words.length < 30 ? 1 : fall(share(commonest, words.length), 0.08, 0.2)
  return Math.min(ofWords, fall(share(totals.repeated, sentences.length), 0.2, 0.6))
}

/** URLs per hundred words: clean up to 2, spam from 10. */
export const urlDensity = ({ words, totals }: QualityReading): number =>
  fall(share(100 * totals.addresses, words.length), 2, 10)

/**
 * Share of the visible characters that are not letters, digits or ordinary punctuation: clean up to 2.5 %, spam from 12
 * %. Runs of `!` and `?` are included.
 */
export const specialCharacters = ({ totals }: QualityReading): number =>
  fall(share(totals.odd, totals.visible), 0.025, 0.12)

/** The specification's weights: they sum to 1. */
const WEIGHTS = { depth: 0.4, coherence: 0.3, credibility: 0.2, spam: 0.1 } as const

/** The four weighted factors and their sum, each rounded to four digits. */
export function quality(
  reading: QualityReading,
  credibility: number,
): { readonly score: number; readonly parts: QualityParts } {
  const factors = { depth: depth(reading), coherence: coherence(reading), credibility, spam: cleanness(reading) }
  const score = rounded(
    WEIGHTS.depth * factors.depth +
      WEIGHTS.coherence * factors.coherence +
      WEIGHTS.credibility * factors.credibility +
      WEIGHTS.spam * factors.spam,
  )
  const parts = { depth: rounded(factors.depth), coherence: rounded(factors.coherence) }
  return {
    score,
    parts: { rating: ratingOf(score), ...parts, credibility: rounded(credibility), spam: rounded(factors.spam) },
  }
}

export function ratingOf(score: number): QualityParts['rating'] {
  if (score >= 0.8) return 'Excellent'
  if (score >= 0.65) return 'Good'
  if (score >= 0.5) return 'Medium'
  return score >= 0.3 ? 'Low' : 'Noise'
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4
