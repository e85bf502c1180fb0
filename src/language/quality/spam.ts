import { fall, share } from './curves.ts'
import { FUNCTION_WORDS } from './function-words.ts'
import type { Reading } from './reading.ts'

/** 1 is clean, 0 is spam: a text is as clean as its worst habit. */
export const cleanness = (reading: Reading): number =>
  Math.min(capitals(reading), repetition(reading), urlDensity(reading), specialCharacters(reading))

/** Words in capitals only (four letters and more, so that agencies' names go free): clean up to a tenth, spam at a third. */
export function capitals({ text, words }: Reading): number {
  const shouted = text.match(/(?<![\p{L}\p{N}])\p{Lu}{4,}(?![\p{L}\p{N}])/gu)?.length ?? 0
  return fall(share(shouted, words.length), 0.1, 0.33)
}

/** The commonest word that carries meaning, and sentences said before. */
export function repetition({ words, language, sentences }: Reading): number {
  const small = FUNCTION_WORDS[language]
  const counts = new Map<string, number>()
  for (const word of words) if (small?.has(word) !== true) counts.set(word, (counts.get(word) ?? 0) + 1)
  const most = counts.size === 0 ? 0 : [...counts.values()].reduce((a, b) => Math.max(a, b))
  const distinct = new Set(sentences.map((sentence) => sentence.words.join(' '))).size
  const ofWords = words.length < 30 ? 1 : fall(share(most, words.length), 0.08, 0.2)
  return Math.min(ofWords, fall(1 - share(distinct, sentences.length || 1), 0.2, 0.6))
}

/** Addresses for each hundred words: clean up to two, spam at ten. */
export const urlDensity = ({ text, words }: Reading): number =>
  fall(share(100 * (text.match(/https?:\/\/|www\./giu)?.length ?? 0), words.length), 2, 10)

/** Characters that are no letter, digit, blank or ordinary punctuation; runs of `!` and `?` count as such. */
export function specialCharacters({ text }: Reading): number {
  const odd =
    text.match(/[^\p{L}\p{M}\p{N}\s.,;:!?'"’‘“”„«»‹›()[\]–—\-…%/&。，、！？：；「」『』（）・।۔،؛؟]|[!?]{2,}/gu)
      ?.length ?? 0
  return fall(share(odd, text.length), 0.02, 0.1)
}
