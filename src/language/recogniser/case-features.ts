import { remembered } from '../memoize.ts'
import { wordList } from '../model-files.ts'
import { TITLES } from '../names/mentions.ts'
import { isDemonym } from '../places/places.ts'
import { CASE, caseClass } from './shapes.ts'

/** Words that names of organisations are made of; compared in lower case. */
export const ORG_CUES = wordList('recogniser/org-cues')
/** Words that names of places are made of; compared in lower case. */
export const LOC_CUES = wordList('recogniser/loc-cues')

/**
 * Number of features of a word, each 0 or 1, that complement an uncased encoder: nine for the case class (`CASE`), then
 * those of `AT`. Trained weights depend on the order.
 */
export const CASE_FEATURES = 23

const AT = {
  firstWord: 9,
  shoutedSentence: 10,
  headline: 11,
  short: 12,
  hyphen: 13,
  stop: 14,
  handle: 15,
  orgCue: 16,
  locCue: 17,
  title: 18,
  demonym: 19,
  afterSign: 20,
  last: 21,
  long: 22,
} as const

const SHORT = 2
const LONG = 12
/** Minimum share of words of at least four letters that are not in lower case: then a capital says little. */
const HEADLINE_SHARE = 0.7
const SHOUTED_SHARE = 0.8

/** Features of a sentence's words, row-major: words x `CASE_FEATURES`, each 0 or 1. */
export function caseFeatures(words: readonly string[]): Float32Array {
  const features = new Float32Array(words.length * CASE_FEATURES)
  const kinds = words.map(kindOf)
  const first = kinds.findIndex((kind) => kind !== CASE.sign)
  const ofSentence = sentenceFeatures(words, kinds)
  words.forEach((word, i) => {
    const row = i * CASE_FEATURES
    const mark = (at: number): number => (features[row + at] = 1)
    mark(kinds[i] ?? CASE.lower)
    ofSentence.forEach(mark)
    wordFeatures(word).forEach(mark)
    if (i === first) mark(AT.firstWord)
    if (i > 0 && kinds[i - 1] === CASE.sign) mark(AT.afterSign)
    if (i === words.length - 1) mark(AT.last)
  })
  return features
}

/** Indices of the features that every word of the sentence has. */
function sentenceFeatures(words: readonly string[], kinds: readonly number[]): number[] {
  const share = (of: readonly number[], isOne: (kind: number) => boolean): number =>
    of.length < 2 ? 0 : of.filter(isOne).length / of.length
  const letters = kinds.filter((kind) => kind <= CASE.mixed)
  const long = kinds.filter((kind, i) => kind <= CASE.mixed && (words[i]?.length ?? 0) > 3)
  const shouted = share(letters, (kind) => kind === CASE.shouted || kind === CASE.letter) >= SHOUTED_SHARE
  const headline = share(long, (kind) => kind !== CASE.lower) >= HEADLINE_SHARE
  return [...(shouted ? [AT.shoutedSentence] : []), ...(headline ? [AT.headline] : [])]
}

/** Features that depend only on the word: index and test. */
const TESTS: readonly (readonly [at: number, test: (word: string, lower: string) => boolean])[] = [
  [AT.short, (word) => word.length <= SHORT],
  [AT.long, (word) => word.length > LONG],
  [AT.hyphen, (word) => /^[-‐‑–—]$/.test(word)],
  [AT.stop, (word) => word === '.'],
  [AT.handle, (word) => word === '@' || word === '#'],
  [AT.orgCue, (_, lower) => ORG_CUES.has(lower)],
  [AT.locCue, (_, lower) => LOC_CUES.has(lower)],
  [AT.title, (_, lower) => TITLES.has(lower)],
  [AT.demonym, (word) => isDemonym(word)],
]

/** Indices of the features that depend only on the word. */
const wordFeatures = remembered((word): readonly number[] => {
  const lower = word.toLowerCase()
  return TESTS.filter(([, test]) => test(word, lower)).map(([at]) => at)
})

/** The case class of a word. */
export const kindOf = remembered(caseClass)
