import { fall, geometric, rise, share } from './curves.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import type { ReadSentence, QualityReading } from './reading.ts'

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
