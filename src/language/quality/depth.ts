import { fall, geometric, rise, saturate, share } from './curves.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import type { Reading } from './reading.ts'

/** How much there is to read, 0 to 1: a long text of nothing is not deep, hence the product. */
export const depth = (reading: Reading): number =>
  geometric([
    [length(reading), 0.4],
    [density(reading), 0.4],
    [structure(reading), 0.2],
  ])

/** Words of sentences that say something, towards 1: 0.39 at a hundred, 0.78 at three hundred, 0.95 at six hundred. */
export const length = ({ informative }: Reading): number =>
  saturate(
    informative.reduce((sum, sentence) => sum + sentence.length, 0),
    200,
  )

/** What part of the text says something, in words that are neither the same few nor without grammar. */
export const density = (reading: Reading): number =>
  geometric([
    [rise(informedShare(reading), 0.15, 0.6), 0.5],
    [variety(reading), 0.25],
    [wording(reading), 0.25],
  ])

const informedShare = ({ informative, sentences }: Reading): number =>
  share(
    informative.reduce((sum, sentence) => sum + sentence.length, 0),
    sentences.reduce((sum, sentence) => sum + sentence.length, 0),
  )

/** Different words among the first three hundred that carry meaning: three quarters in news, a fifth in keyword lists. */
function variety({ words, language }: Reading): number {
  const small = FUNCTION_WORDS[language]
  const carrying = words.filter((word) => small?.has(word) !== true).slice(0, 300)
  return rise(share(new Set(carrying).size, carrying.length), 0.15, 0.4)
}

/**
 * The small words' share, where we know the language's. Where we do not know even the language, the ten commonest words
 * stand in for them: they make up a sixth or more of any prose, less of random words.
 */
function wording({ words, language }: Reading): number {
  const small = FUNCTION_WORDS[language]
  if (small !== undefined) return rise(share(words.filter((word) => small.has(word)).length, words.length), 0.05, 0.2)
  return language === 'und' && words.length >= 100 ? rise(commonestShare(words, 10), 0.08, 0.16) : 1
}

function commonestShare(words: readonly string[], ranks: number): number {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const top = [...counts.values()].sort((a, b) => b - a).slice(0, ranks)
  return share(
    top.reduce((sum, count) => sum + count, 0),
    words.length,
  )
}

/** Paragraphs of a reader's size: debris of one to four words each is none, one endless paragraph is half of one. */
export function structure({ paragraphs }: Reading): number {
  const total = paragraphs.reduce((sum, words) => sum + words, 0)
  const inParagraphs = paragraphs.reduce((sum, words) => sum + (words >= 8 ? words : 0), 0)
  const mean = share(total, paragraphs.length)
  return rise(share(inParagraphs, total), 0.2, 0.8) * (0.5 + 0.5 * fall(mean, 250, 1_000))
}
