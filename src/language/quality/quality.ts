import type { QualityParts } from '../../events/articles.ts'
import { FUNCTION_WORDS } from './lexicon.ts'
import { fall, type QualityReading, type ReadSentence, rise, share } from './reading.ts'

/** Grows from 0 towards 1; at `scale` it is 0.63. */
const saturate = (value: number, scale: number): number => 1 - Math.exp(-value / scale)

/** Mean that a single zero pulls to zero; the weights sum to 1. */
const geometric = (parts: readonly (readonly [value: number, weight: number])[]): number =>
  parts.reduce((product, [value, weight]) => product * value ** weight, 1)

/** How much there is to read, 0 to 1: a long text of nothing is not deep, so the two are multiplied. */
export const depth = (reading: QualityReading): number =>
  geometric([
    [length(reading), 0.6],
    [density(reading), 0.25],
    [structure(reading), 0.15],
  ])

/** Words of informative sentences, 0 to 1, by orders of magnitude: 0 at five, 0.45 at sixty, 0.75 at three hundred, 1 from 1,200. */
export const length = ({ informative }: QualityReading): number =>
  rise(Math.log(Math.max(1, informativeWords(informative))), Math.log(5), Math.log(1_200))

const informativeWords = (sentences: readonly ReadSentence[]): number =>
  sentences.reduce((sum, { length, informativeness }) => sum + length * informativeness, 0)
const wordsIn = (sentences: readonly ReadSentence[]): number => sentences.reduce((sum, { length }) => sum + length, 0)

/** The share of the text that is informative, in words that are neither the same few nor without grammar, 0 to 1. */
export const density = (reading: QualityReading): number =>
  geometric([
    [rise(share(informativeWords(reading.informative), wordsIn(reading.sentences)), 0.15, 0.6), 0.5],
    [variety(reading), 0.25],
    [wording(reading), 0.25],
  ])

/** Different words among the first three hundred that carry meaning: three quarters in news, a fifth in keyword lists. */
function variety({ carrying, commonest }: QualityReading): number {
  const first = carrying.slice(0, 300)
  const distinct = rise(share(new Set(first).size, first.length), 0.15, 0.4)
  return distinct * (carrying.length < 20 ? 1 : fall(share(commonest, carrying.length), 0.12, 0.24))
}

/** The small words' share where we know the language's, any language's where even the language is unknown. */
function wording({ text, words, language, totals }: QualityReading): number {
  const small = share(totals.small, words.length)
  if (FUNCTION_WORDS.has(language)) return rise(small, 0.05, 0.2)
  return language === 'und' && LATIN.test(text.slice(0, 1_000)) ? rise(small, 0.03, 0.12) : 1
}

const LATIN = /\p{Script=Latin}/u

/** Paragraphs of a reader's size, 0 to 1: debris of one to four words each is none, one endless paragraph is half of one. */
export function structure({ paragraphs }: QualityReading): number {
  const total = paragraphs.reduce((sum, words) => sum + words, 0)
  const inParagraphs = paragraphs.reduce((sum, words) => sum + (words >= 8 ? words : 0), 0)
  const mean = share(total, paragraphs.length)
  return rise(share(inParagraphs, total), 0.2, 0.8) * (0.5 + 0.5 * fall(mean, 250, 1_000))
}

/** How well a text hangs together, 0 to 1. */
export const coherence = (reading: QualityReading): number =>
  geometric([
    [sentenceCount(reading), 0.5],
    [sentenceLength(reading), 0.3],
    [sentimentConsistency(reading), 0.2],
  ])

/** Informative sentences, towards 1 (0.33 at one, 0.70 at three, 0.98 at ten), and their part in all that is there. */
export const sentenceCount = ({ informative, sentences }: QualityReading): number =>
  saturate(informativeness(informative), 2.5) * rise(share(informativeness(informative), sentences.length), 0.05, 0.4)

const informativeness = (sentences: readonly ReadSentence[]): number =>
  sentences.reduce((sum, { informativeness: value }) => sum + value, 0)

/** Mean words a sentence, 0 to 1: full marks from 7 to 35, none at 3 or at 70. */
export function sentenceLength({ sentences }: QualityReading): number {
  const mean = share(wordsIn(sentences), sentences.length)
  return Math.min(rise(mean, 3, 7), fall(mean, 35, 70))
}

/**
 * 1 down to 0.5: seldom from delight to disgust and back between neighbours. Only English has a lexicon (AFINN-165);
 * elsewhere nothing is held against it.
 */
export function sentimentConsistency({ informative }: QualityReading): number {
  let flips = 0
  for (let i = 1; i < informative.length; i++) if (mood(informative[i]) * mood(informative[i - 1]) < 0) flips++
  return 1 - 0.5 * share(flips, informative.length - 1)
}

/** -1 or +1 where the words lean clearly to one side, else 0. */
const mood = (sentence: ReadSentence | undefined): number => {
  const valence = sentence?.valence ?? 0
  return Math.abs(valence) < 4 ? 0 : Math.sign(valence)
}

/** 1 is clean, 0 is spam: a text is as clean as its worst habit. */
export const cleanness = (reading: QualityReading): number =>
  Math.min(capitals(reading), repetition(reading), urlDensity(reading), specialCharacters(reading))

/** Words in capitals only (four letters and more, so that agencies' names go free): clean up to a tenth, spam at a third. */
export const capitals = ({ words, totals }: QualityReading): number =>
  fall(share(totals.shouted, words.length), 0.1, 0.33)

/** The commonest word that carries meaning (clean up to 8 of a hundred, spam at 20), and sentences said before (20, 60). */
export function repetition({ words, commonest, sentences, totals }: QualityReading): number {
  const ofWords = words.length < 30 ? 1 : fall(share(commonest, words.length), 0.08, 0.2)
  return Math.min(ofWords, fall(share(totals.repeated, sentences.length), 0.2, 0.6))
}

/** Addresses for each hundred words: clean up to two, spam at ten. */
export const urlDensity = ({ words, totals }: QualityReading): number =>
  fall(share(100 * totals.addresses, words.length), 2, 10)

/**
 * Characters that are no letter, digit or ordinary punctuation, of all that are not blank: clean up to 2.5 of a hundred,
 * spam at 12. Runs of `!` and `?` count as such.
 */
export const specialCharacters = ({ totals }: QualityReading): number =>
  fall(share(totals.odd, totals.visible), 0.025, 0.12)

/** The specification's weights: they sum to 1. */
const WEIGHTS = { depth: 0.4, coherence: 0.3, credibility: 0.2, spam: 0.1 } as const

/** The four weighted factors and their sum, each rounded to four digits so that it reads the same everywhere. */
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
