import { fall, share } from './curves.ts'
import type { QualityReading } from './reading.ts'

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
