import { rememberedOf, remembered } from '../memoize.ts'
import { PLACE_KINDS, type PlaceTable } from '../places/places.ts'
import { CASE_FEATURES, caseFeatures, kindOf } from './case-features.ts'
import { factsOf, KNOWN, type Lexicon } from './lexicon.ts'
import { placeMarks } from './sentence.ts'

/** Values of `WordFacts.lowered`. */
const LOWERED = 8
const LISTS = [KNOWN.firstName, KNOWN.lastName, KNOWN.company]

/** Indexes of the features: case, then the usual spelling, lists of names, and places (first and further words). */
const AT = { lowered: CASE_FEATURES, lists: CASE_FEATURES + LOWERED, places: CASE_FEATURES + LOWERED + LISTS.length }

/**
 * Number of features of a word, each 0 or 1, that the reader has beside its pieces. Trained weights depend on the order.
 */
export const READER_FEATURES = AT.places + 2 * PLACE_KINDS.length

/** Knowledge of words and places. */
export interface WordLists {
  readonly lexicon: Lexicon
  readonly places: PlaceTable
}

/** Codes for `placeMarks`: the index of the feature of a first word, plus 1; that of a further word follows. */
const CODES = Object.fromEntries(PLACE_KINDS.map((kind, i) => [kind, 1 + 2 * i]))

/** Features of all words of an article's sentences, row-major: words x `READER_FEATURES`, each 0 or 1. */
export function articleFeatures(sentences: readonly (readonly string[])[], lists: WordLists): Uint8Array {
  const all = new Uint8Array(sentences.reduce((sum, { length }) => sum + length, 0) * READER_FEATURES)
  let at = 0
  for (const words of sentences) {
    all.set(readerFeatures(words, lists), at)
    at += words.length * READER_FEATURES
  }
  return all
}

/** Features of a sentence's words, row-major: words x `READER_FEATURES`, each 0 or 1. */
export function readerFeatures(words: readonly string[], { lexicon, places }: WordLists): Uint8Array {
  const features = new Uint8Array(words.length * READER_FEATURES)
  const cased = caseFeatures(words)
  const listed = listedBy(lexicon)
  const marks = placeMarks(words, words.map(kindOf), { places, codes: CODES })
  words.forEach((word, i) => {
    const row = i * READER_FEATURES
    features.set(cased.subarray(i * CASE_FEATURES, (i + 1) * CASE_FEATURES), row)
    for (const at of listed(word)) features[row + at] = 1
    const mark = marks[i] ?? 0
    if (mark > 0) features[row + AT.places + mark - 1] = 1
  })
  return features
}

/** Indexes of the features of a word that the lexicon gives. */
const listedBy = rememberedOf((lexicon: Lexicon) =>
  remembered((word): readonly number[] => {
    const { lowered, known } = factsOf(lexicon, word)
    return [AT.lowered + lowered, ...LISTS.flatMap((list, i) => ((known & list) === 0 ? [] : AT.lists + i))]
  }),
)
